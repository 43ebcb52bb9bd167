graph.variable @w : tensor<3x4xf64> = #graph.glorot_uniform
graph.func @f(%x: tensor<5x3xf64>) {
  %w = graph.read @w : tensor<3x4xf64>
  %a = graph.matmul %x, %w : tensor<5x3xf64>, tensor<3x4xf64>
  %b = graph.exp %a : tensor<5x4xf64>
  %c = graph.square %b : tensor<5x4xf64>
  %d = graph.reduce_sum %c axes [0, 1] : tensor<5x4xf64>
  graph.minimize %d : tensor<f64> with #graph.sgd<learning_rate = 0.1>
}
