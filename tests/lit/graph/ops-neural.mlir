// The ops of convolutions, pools, normalisations and losses read back as they
// print.
// RUN: dtc-opt %s | FileCheck %s
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// CHECK-LABEL: graph.func @products
graph.func @products(%a: tensor<2x3x4xf32>, %b: tensor<5x4xf32>, %bias: tensor<5xf32>) {
  // CHECK: graph.batch_matmul %a, %b transpose_b : tensor<2x3x4xf32>, tensor<5x4xf32>
  %p = graph.batch_matmul %a, %b transpose_b : tensor<2x3x4xf32>, tensor<5x4xf32>
  // CHECK: graph.batch_matmul %a, %p transpose_a : tensor<2x3x4xf32>, tensor<2x3x5xf32>
  %q = graph.batch_matmul %a, %p transpose_a : tensor<2x3x4xf32>, tensor<2x3x5xf32>
  // CHECK: graph.bias_add %q, %bias : tensor<2x4x5xf32>, tensor<5xf32>
  %r = graph.bias_add %q, %bias : tensor<2x4x5xf32>, tensor<5xf32>
}

// CHECK-LABEL: graph.func @convolutions
graph.func @convolutions(%x: tensor<2x7x5x3xf32>, %f: tensor<3x2x3x4xf32>) {
  // CHECK: graph.conv2d %x, %f strides [2, 1] padding "SAME" dilations [1, 2] : tensor<2x7x5x3xf32>, tensor<3x2x3x4xf32>
  %y = graph.conv2d %x, %f strides [2, 1] padding "SAME" dilations [1, 2] : tensor<2x7x5x3xf32>, tensor<3x2x3x4xf32>
  // CHECK: graph.conv2d_backprop_input %f, %y strides [2, 1] padding "SAME" dilations [1, 2] : tensor<3x2x3x4xf32>, tensor<2x4x5x4xf32> to tensor<2x7x5x3xf32>
  %dx = graph.conv2d_backprop_input %f, %y strides [2, 1] padding "SAME" dilations [1, 2] : tensor<3x2x3x4xf32>, tensor<2x4x5x4xf32> to tensor<2x7x5x3xf32>
  // CHECK: graph.conv2d_backprop_filter %x, %y {{.*}} to tensor<3x2x3x4xf32>
  %df = graph.conv2d_backprop_filter %x, %y strides [2, 1] padding "SAME" dilations [1, 2] : tensor<2x7x5x3xf32>, tensor<2x4x5x4xf32> to tensor<3x2x3x4xf32>
  // CHECK: graph.depthwise_conv2d %x, %f strides [1, 1] padding array<i64: 1, 0, 2, 1> dilations [1, 1]
  %z = graph.depthwise_conv2d %x, %f strides [1, 1] padding array<i64: 1, 0, 2, 1> dilations [1, 1] : tensor<2x7x5x3xf32>, tensor<3x2x3x4xf32>
  // CHECK: graph.depthwise_conv2d_backprop_input %f, %z {{.*}} tensor<2x6x7x12xf32> to tensor<2x7x5x3xf32>
  %dz = graph.depthwise_conv2d_backprop_input %f, %z strides [1, 1] padding array<i64: 1, 0, 2, 1> dilations [1, 1] : tensor<3x2x3x4xf32>, tensor<2x6x7x12xf32> to tensor<2x7x5x3xf32>
  // CHECK: graph.depthwise_conv2d_backprop_filter %x, %z {{.*}} to tensor<3x2x3x4xf32>
  %dg = graph.depthwise_conv2d_backprop_filter %x, %z strides [1, 1] padding array<i64: 1, 0, 2, 1> dilations [1, 1] : tensor<2x7x5x3xf32>, tensor<2x6x7x12xf32> to tensor<3x2x3x4xf32>
}

// CHECK-LABEL: graph.func @pools
graph.func @pools(%x: tensor<2x7x5x3xf32>) {
  // CHECK: graph.max_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<2x7x5x3xf32>
  %y = graph.max_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<2x7x5x3xf32>
  // CHECK: graph.avg_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<2x7x5x3xf32>
  %z = graph.avg_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<2x7x5x3xf32>
  // CHECK: graph.max_pool_grad %x, %y, %z window [2, 2] {{.*}} : tensor<2x7x5x3xf32>, tensor<2x3x2x3xf32>, tensor<2x3x2x3xf32> to tensor<2x7x5x3xf32>
  %dy = graph.max_pool_grad %x, %y, %z window [2, 2] padding "VALID" strides [2, 2] : tensor<2x7x5x3xf32>, tensor<2x3x2x3xf32>, tensor<2x3x2x3xf32> to tensor<2x7x5x3xf32>
  // CHECK: graph.avg_pool_grad %z window [2, 2] {{.*}} : tensor<2x3x2x3xf32> to tensor<2x7x5x3xf32>
  %dz = graph.avg_pool_grad %z window [2, 2] padding "VALID" strides [2, 2] : tensor<2x3x2x3xf32> to tensor<2x7x5x3xf32>
}

// CHECK-LABEL: graph.func @norms
graph.func @norms(%x: tensor<4x3xf32>, %s: tensor<3xf32>) {
  // CHECK: %y, %mean, %unbiased, %variance = graph.batch_norm %x, %s, %s epsilon 1.000000e-03 : tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>
  %y, %mean, %unbiased, %variance = graph.batch_norm %x, %s, %s epsilon 1.0e-3 : tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK: graph.batch_norm_inference %y, %s, %s, %mean, %variance epsilon 1.000000e-03
  %z = graph.batch_norm_inference %y, %s, %s, %mean, %variance epsilon 1.0e-3 : tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  // CHECK: graph.layer_norm %z, %s, %s epsilon 1.000000e-05 : tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>
  %l = graph.layer_norm %z, %s, %s epsilon 1.0e-5 : tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: graph.func @losses
graph.func @losses(%x: tensor<4x3xf32>, %labels: tensor<4x3xf32>, %class: tensor<4xi32>) {
  // CHECK: graph.softmax %x : tensor<4x3xf32>
  %s = graph.softmax %x : tensor<4x3xf32>
  // CHECK: graph.log_softmax %x : tensor<4x3xf32>
  %l = graph.log_softmax %x : tensor<4x3xf32>
  // CHECK: graph.softmax_cross_entropy %x, %class : tensor<4x3xf32>, tensor<4xi32>
  %a = graph.softmax_cross_entropy %x, %class : tensor<4x3xf32>, tensor<4xi32>
  // CHECK: graph.dense_softmax_cross_entropy %x, %labels : tensor<4x3xf32>, tensor<4x3xf32>
  %b = graph.dense_softmax_cross_entropy %x, %labels : tensor<4x3xf32>, tensor<4x3xf32>
  // CHECK: graph.sigmoid_cross_entropy %x, %labels : tensor<4x3xf32>, tensor<4x3xf32>
  %c = graph.sigmoid_cross_entropy %x, %labels : tensor<4x3xf32>, tensor<4x3xf32>
  // CHECK: graph.l2_loss %x : tensor<4x3xf32>
  %d = graph.l2_loss %x : tensor<4x3xf32>
}
