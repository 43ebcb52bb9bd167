// RUN: dtc-opt %s -split-input-file -graph-expand-training | FileCheck %s

// Gradient descent: gradient, new value and assignment of each variable, in
// the order of their declarations, whatever the order of the reads.
// CHECK-LABEL: module @sgd
module @sgd {
  // CHECK-NEXT: graph.variable @w
  // CHECK-NEXT: graph.variable @v
  // CHECK-NEXT: graph.func
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.variable @v : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %b = graph.read @v : tensor<f32>
    %a = graph.read @w : tensor<f32>
    %loss = graph.mul %a, %b : tensor<f32>, tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5>
    // CHECK: %loss.grad = graph.constant dense<1.000000e+00> : tensor<f32>
    // CHECK-NEXT: %w.grad = graph.mul %loss.grad, %b
    // CHECK-NEXT: %v.grad = graph.mul %loss.grad, %a
    // CHECK-NEXT: %[[RATE:.*]] = graph.constant dense<5.000000e-01> : tensor<f32>
    // CHECK-NEXT: %w.new = graph.apply_gradient_descent %a, %w.grad learning_rate %[[RATE]]
    // CHECK-NEXT: graph.assign @w, %w.new
    // CHECK: %v.new = graph.apply_gradient_descent %b, %v.grad
    // CHECK-NEXT: graph.assign @v, %v.new
    // CHECK-NOT: graph.minimize
  }
}

// -----
// Momentum remembers in a slot beside its variable, on the same device; two
// functions that train share it.
// CHECK-LABEL: module @momentum
module @momentum {
  // CHECK: graph.variable @w : {{.*}} {device = "/job:ps"}
  // CHECK-NEXT: graph.variable @w.momentum : tensor<f32> = #graph.fill<0.000000e+00> slot {device = "/job:ps"}
  // CHECK-NEXT: graph.func
  graph.variable @w : tensor<f32> = #graph.fill<1.0> {device = "/job:ps"}
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    %loss = graph.square %w : tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.5, momentum = 0.9>
    // CHECK: %w.momentum = graph.read @w.momentum
    // CHECK: %w.new, %w.momentum.new = graph.apply_momentum %w, %w.momentum, %w.grad learning_rate %{{.*}} momentum 9.000000e-01
    // CHECK-NEXT: graph.assign @w, %w.new
    // CHECK-NEXT: graph.assign @w.momentum, %w.momentum.new
  }
  // CHECK: graph.func @again
  graph.func @again() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.momentum<learning_rate = 0.5, momentum = 0.9>
    // CHECK: graph.assign @w.momentum
  }
}

// -----
// Only what is named is trained; two reads of a variable are one value.
// CHECK-LABEL: module @named
module @named {
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.variable @v : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %first = graph.read @w : tensor<f32>
    %second = graph.read @w : tensor<f32>
    %v = graph.read @v : tensor<f32>
    %a = graph.mul %first, %v : tensor<f32>, tensor<f32>
    %loss = graph.add %a, %second : tensor<f32>, tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5> for [@w]
    // CHECK: graph.add %a, %first
    // The last user's share comes first.
    // CHECK: %[[SHARE:.*]] = graph.mul %loss.grad, %v
    // CHECK: %w.grad = graph.add %loss.grad, %[[SHARE]]
    // CHECK: graph.assign @w
    // CHECK-NOT: graph.assign @v
  }
}

// -----
// A gradient stays on the device that the user gave to its op.
// CHECK-LABEL: module @device
module @device {
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    %e = graph.exp %w {device = "/job:worker/task:1"} : tensor<f32>
    %loss = graph.log %e {device = "/job:worker/task:0"} : tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5>
    // CHECK: %e.grad = graph.div {{.*}} {device = "/job:worker/task:0"}
    // CHECK-NEXT: %w.grad = graph.mul {{.*}} {device = "/job:worker/task:1"}
  }
}
