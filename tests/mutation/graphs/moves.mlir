// Axes and places: transposes, parts, joins and sums along one axis.
module @moves {
  graph.variable @w : tensor<8x8xf32> = #graph.glorot_uniform
  graph.variable @v : tensor<8x8xf32> = #graph.glorot_uniform
  graph.func @train(%x: tensor<8x8xf32>) {
    %w = graph.read @w : tensor<8x8xf32>
    %v = graph.read @v : tensor<8x8xf32>
    %turned = graph.transpose %w perm [1, 0] : tensor<8x8xf32>
    %a = graph.matmul %x, %turned {device = "/job:worker/task:0"} : tensor<8x8xf32>, tensor<8x8xf32>
    %top = graph.slice %a begin [0, 0] size [4, 8] {device = "/job:worker/task:1"} : tensor<8x8xf32>
    %low = graph.slice %a begin [2, 0] size [4, 8] {device = "/job:worker/task:1"} : tensor<8x8xf32>
    %joined = graph.concat %low, %top axis 0 {device = "/job:worker/task:1"} : tensor<4x8xf32>, tensor<4x8xf32>
    %b = graph.mul %joined, %v : tensor<8x8xf32>, tensor<8x8xf32>
    %rows = graph.reduce_sum %b axes [1] : tensor<8x8xf32>
    %squares = graph.square %rows : tensor<8xf32>
    %sums = graph.cumsum %squares axis 0 : tensor<8xf32>
    %loss = graph.reduce_mean %sums axes [0] : tensor<8xf32>
    graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.01, momentum = 0.9>
    graph.output "loss" = %loss : tensor<f32>
    graph.output "rows" = %rows : tensor<8xf32>
  }
}
