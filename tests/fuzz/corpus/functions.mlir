graph.variable @w : tensor<4x4xf32> = #graph.glorot_uniform
graph.func private @dense(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = graph.read @w : tensor<4x4xf32>
  %m = graph.matmul %x, %w : tensor<2x4xf32>, tensor<4x4xf32>
  %y = graph.relu %m : tensor<2x4xf32>
  graph.return %y : tensor<2x4xf32>
}
graph.func private @two(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %a = graph.call @dense(%x) as "first" : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = graph.call @dense(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  graph.return %b, %x : tensor<2x4xf32>, tensor<2x4xf32>
}
graph.func @train(%x: tensor<2x4xf32>) {
  %p, %q = graph.call @two(%x) as "top" : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %d = graph.sub %p, %q : tensor<2x4xf32>, tensor<2x4xf32>
  %loss = graph.l2_loss %d : tensor<2x4xf32>
  graph.minimize %loss : tensor<f32> with #graph.adam<learning_rate = #graph.warm_up<steps = 10, after = 0.5>>
}
