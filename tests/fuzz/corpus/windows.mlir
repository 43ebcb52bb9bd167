graph.func @f(%x: tensor<2x9x7x3xf32>, %w: tensor<3x2x3x4xf32>, %d: tensor<2x2x4x2xf32>, %s: tensor<8xf32>) {
  %a = graph.conv2d %x, %w strides [2, 1] padding "SAME" dilations [1, 2] : tensor<2x9x7x3xf32>, tensor<3x2x3x4xf32>
  %b = graph.depthwise_conv2d %a, %d strides [1, 1] padding array<i64: 1, 0, 0, 1> dilations [1, 1] : tensor<2x5x7x4xf32>, tensor<2x2x4x2xf32>
  %y, %mean, %var, %r = graph.batch_norm %b, %s, %s epsilon 1.0e-3 : tensor<2x5x7x8xf32>, tensor<8xf32>, tensor<8xf32>
  %m = graph.max_pool %y window [2, 2] padding "VALID" strides [2, 2] : tensor<2x5x7x8xf32>
  %v = graph.avg_pool %m window [2, 3] padding "SAME" strides [1, 1] : tensor<2x2x3x8xf32>
  %t = graph.transpose %v perm [0, 3, 1, 2] : tensor<2x2x3x8xf32>
  graph.output "t" = %t : tensor<2x8x2x3xf32>
}
