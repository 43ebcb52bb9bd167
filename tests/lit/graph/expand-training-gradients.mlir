// What minimize does to gradients before the optimizer sees them.
// RUN: dtc-opt %s -split-input-file -graph-expand-training | FileCheck %s

// Decay first, then the bound.
// CHECK-LABEL: module @decay
module @decay {
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train(%x: tensor<f32>) {
    %w = graph.read @w : tensor<f32>
    %loss = graph.mul %w, %x : tensor<f32>, tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5> weight_decay 0.25 clip_by_value 2.0
    // CHECK: %[[DECAY:.*]] = graph.mul %w, %{{.*}} {graph.update = @w}
    // CHECK: %[[SUM:.*]] = graph.add %w.grad, %[[DECAY]] {graph.update = @w}
    // CHECK: %[[CLIPPED:.*]] = graph.clip %[[SUM]] from -2.000000e+00 to 2.000000e+00 {graph.update = @w}
    // CHECK: graph.apply_gradient_descent %w, %[[CLIPPED]]
  }
}

// -----
// One scale for all; each norm is computed beside its variable.
// CHECK-LABEL: module @norm
module @norm {
  graph.variable @w : tensor<3xf32> = #graph.fill<1.0>
  graph.variable @v : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<3xf32>
    %v = graph.read @v : tensor<f32>
    %wv = graph.mul %w, %v : tensor<3xf32>, tensor<f32>
    %loss = graph.reduce_sum %wv axes [0] : tensor<3xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5> clip_by_global_norm 4.0
    // CHECK: graph.square %w.grad {graph.update = @w}
    // CHECK: graph.square %v.grad {graph.update = @v}
    // CHECK: %[[NORM:.*]] = graph.sqrt
    // CHECK: %[[SCALE:.*]] = graph.add {{.*}} {graph.update = @w}
    // CHECK: %[[CLIPPED_W:.*]] = graph.mul %w.grad, %[[SCALE]] {graph.update = @w}
    // CHECK: %[[CLIPPED_V:.*]] = graph.mul %v.grad, %[[SCALE]] {graph.update = @v}
    // CHECK: graph.apply_gradient_descent %w, %[[CLIPPED_W]]
    // CHECK: graph.apply_gradient_descent %v, %[[CLIPPED_V]]
  }
}
