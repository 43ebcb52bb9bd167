// The gradient of dropout drops what the forward dropped: same step, seed and
// stream.
// RUN: dtc-opt %s -graph-expand-training | FileCheck %s

graph.variable @w : tensor<2xf32> = #graph.fill<1.0>
// CHECK-LABEL: graph.func @train
graph.func @train() {
  %w = graph.read @w : tensor<2xf32>
  %step = graph.global_step
  %y = graph.dropout %w, %step rate 0.5 seed 7 stream "d" : tensor<2xf32>
  %loss = graph.reduce_sum %y axes [0] : tensor<2xf32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5>
  // CHECK: %w.grad = graph.dropout %y.grad, %global_step rate 5.000000e-01 seed 7 stream "d"
  // The counter goes on.
  // CHECK: graph.assign @global_step
}
