// Every op's gradient is that of finite differences, broadcasting and all.
// RUN: dtc-opt %s -graph-expand-training | %python %S/Inputs/check_gradients.py | FileCheck %s

module {
  graph.variable @w : tensor<2x3xf32> = #graph.fill<0.0>

  // CHECK: @unary: 6 elements agree
  graph.func @unary() {
    %w = graph.read @w : tensor<2x3xf32>
    %c = graph.constant dense<[[1.0, -2.0, 3.0], [4.0, 0.5, -1.0]]> : tensor<2x3xf32>
    %0 = graph.exp %w : tensor<2x3xf32>
    %1 = graph.log %w : tensor<2x3xf32>
    %2 = graph.sqrt %0 : tensor<2x3xf32>
    %3 = graph.square %1 : tensor<2x3xf32>
    %4 = graph.mul %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>
    %5 = graph.neg %4 : tensor<2x3xf32>
    %6 = graph.mul %5, %c : tensor<2x3xf32>, tensor<2x3xf32>
    %7 = graph.relu %6 : tensor<2x3xf32>
    %8 = graph.relu_grad %7, %c : tensor<2x3xf32>
    %9 = graph.cast %8 : tensor<2x3xf32> to tensor<2x3xf64>
    %10 = graph.reduce_sum %9 axes [0, 1] : tensor<2x3xf64>
    %loss = graph.cast %10 : tensor<f64> to tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }

  // CHECK: @binary: 6 elements agree
  graph.func @binary() {
    %w = graph.read @w : tensor<2x3xf32>
    %row = graph.reduce_mean %w axes [0] : tensor<2x3xf32>
    %column = graph.reduce_sum %w axes [1] keep_dims : tensor<2x3xf32>
    %0 = graph.div %row, %column : tensor<3xf32>, tensor<2x1xf32>
    %1 = graph.sub %0, %row : tensor<2x3xf32>, tensor<3xf32>
    %2 = graph.mul %column, %1 : tensor<2x1xf32>, tensor<2x3xf32>
    %3 = graph.add %2, %0 : tensor<2x3xf32>, tensor<2x3xf32>
    %4 = graph.maximum %3, %row : tensor<2x3xf32>, tensor<3xf32>
    %5 = graph.square %4 : tensor<2x3xf32>
    %6 = graph.sub %w, %5 : tensor<2x3xf32>, tensor<2x3xf32>
    %7 = graph.div %6, %w : tensor<2x3xf32>, tensor<2x3xf32>
    %loss = graph.reduce_mean %7 axes [0, 1] : tensor<2x3xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }

  // CHECK: @shapes: 6 elements agree
  graph.func @shapes() {
    %w = graph.read @w : tensor<2x3xf32>
    %0 = graph.reshape %w : tensor<2x3xf32> to tensor<3x1x2xf32>
    %1 = graph.broadcast_to %0 : tensor<3x1x2xf32> to tensor<2x3x4x2xf32>
    %2 = graph.square %1 : tensor<2x3x4x2xf32>
    %3 = graph.reduce_max %2 axes [1, 3] keep_dims : tensor<2x3x4x2xf32>
    %4 = graph.mul %3, %1 : tensor<2x1x4x1xf32>, tensor<2x3x4x2xf32>
    %5 = graph.reduce_mean %4 axes [0, 2] : tensor<2x3x4x2xf32>
    %6 = graph.exp %5 : tensor<3x2xf32>
    %loss = graph.reduce_sum %6 axes [0, 1] : tensor<3x2xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }

  // All four ways to transpose, with the variable on either side.
  // CHECK: @matmul: 6 elements agree
  graph.func @matmul() {
    %w = graph.read @w : tensor<2x3xf32>
    %c = graph.constant dense<[[1.0, -2.0, 3.0], [4.0, 0.5, -1.0]]> : tensor<2x3xf32>
    %t = graph.constant dense<[[1.0, -2.0], [3.0, 4.0], [0.5, -1.0]]> : tensor<3x2xf32>
    %0 = graph.matmul %w, %t : tensor<2x3xf32>, tensor<3x2xf32>
    %1 = graph.matmul %0, %w transpose_a : tensor<2x2xf32>, tensor<2x3xf32>
    %2 = graph.matmul %w, %1 transpose_b : tensor<2x3xf32>, tensor<2x3xf32>
    %3 = graph.matmul %w, %2 transpose_a transpose_b : tensor<2x3xf32>, tensor<2x2xf32>
    %4 = graph.mul %3, %t : tensor<3x2xf32>, tensor<3x2xf32>
    %5 = graph.matmul %c, %4 transpose_a transpose_b : tensor<2x3xf32>, tensor<3x2xf32>
    %loss = graph.reduce_mean %5 axes [0, 1] : tensor<3x3xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }

  // CHECK: @classifier: 6 elements agree
  graph.func @classifier() {
    %w = graph.read @w : tensor<2x3xf32>
    %labels = graph.constant dense<[2, 0]> : tensor<2xi64>
    %bias = graph.reduce_sum %w axes [0] : tensor<2x3xf32>
    %0 = graph.softmax %w : tensor<2x3xf32>
    %1 = graph.bias_add %0, %bias : tensor<2x3xf32>, tensor<3xf32>
    %losses = graph.softmax_cross_entropy %1, %labels : tensor<2x3xf32>, tensor<2xi64>
    %2 = graph.square %losses : tensor<2xf32>
    %loss = graph.reduce_sum %2 axes [0] : tensor<2xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}
