graph.variable @filter : tensor<3x3x2x4xf32> = #graph.he_normal
graph.variable @scale : tensor<4xf32> = #graph.fill<1.0>
graph.func @f(%x: tensor<2x9x9x2xf32>) {
  %filter = graph.read @filter : tensor<3x3x2x4xf32>
  %scale = graph.read @scale : tensor<4xf32>
  %a = graph.conv2d %x, %filter strides [2, 1] padding "SAME" dilations [1, 1]
      : tensor<2x9x9x2xf32>, tensor<3x3x2x4xf32>
  %b = graph.conv2d %x, %filter strides [1, 1] padding array<i64: 1, 0, 2, 1> dilations [2, 3]
      : tensor<2x9x9x2xf32>, tensor<3x3x2x4xf32>
  %c = graph.depthwise_conv2d %x, %filter strides [1, 1] padding "VALID" dilations [1, 1]
      : tensor<2x9x9x2xf32>, tensor<3x3x2x4xf32>
  %d = graph.max_pool %a window [2, 2] padding "VALID" strides [2, 2] : tensor<2x5x9x4xf32>
  %e = graph.avg_pool %a window [3, 3] padding "SAME" strides [2, 2] : tensor<2x5x9x4xf32>
  %f:4 = graph.batch_norm %e, %scale, %scale epsilon 0.001
      : tensor<2x3x5x4xf32>, tensor<4xf32>, tensor<4xf32>
  graph.output "b" = %b : tensor<2x6x6x4xf32>
  graph.output "c" = %c : tensor<2x7x7x8xf32>
  graph.output "d" = %d : tensor<2x2x4x4xf32>
  graph.output "f" = %f#0 : tensor<2x3x5x4xf32>
}
