// Each schedule as ops on the step; canonicalized, so that only they are left.
// RUN: dtc-opt %s -split-input-file -graph-expand-training -canonicalize | FileCheck %s

// CHECK-LABEL: graph.func @piecewise
graph.variable @w : tensor<f32> = #graph.fill<1.0>
graph.func @piecewise() {
  %w = graph.read @w : tensor<f32>
  graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [10, 20], values = [0.5, 0.25, 0.125]>>
  // CHECK: %[[FIRST:.*]] = graph.greater %global_step, %{{.*}}
  // CHECK: %[[RATE:.*]] = graph.select %[[FIRST]]
  // CHECK: %[[SECOND:.*]] = graph.greater %global_step, %{{.*}}
  // CHECK: %learning_rate = graph.select %[[SECOND]], %{{.*}}, %[[RATE]]
  // CHECK: graph.apply_gradient_descent {{.*}} learning_rate %learning_rate
}

// -----
// A boundary in examples is divided by the batch, rounded down.
// CHECK-LABEL: graph.func @examples
graph.variable @w : tensor<f32> = #graph.fill<1.0>
graph.func @examples() {
  // CHECK: %[[BOUNDARY:.*]] = graph.constant dense<312> : tensor<i64>
  // CHECK: graph.greater %global_step, %[[BOUNDARY]]
  %w = graph.read @w : tensor<f32>
  graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [40000], values = [0.5, 0.25], batch = 128>>
}

// -----
// CHECK-LABEL: graph.func @exponential
graph.variable @w : tensor<f64> = #graph.fill<1.0>
graph.func @exponential() {
  %w = graph.read @w : tensor<f64>
  graph.minimize %w : tensor<f64> with #graph.sgd<learning_rate = #graph.exponential_decay<rate = 0.5, decay_steps = 10, decay_rate = 0.25, staircase = true>>
  // CHECK: %[[STEP:.*]] = graph.cast %global_step {{.*}} to tensor<f64>
  // CHECK: %[[RATIO:.*]] = graph.div %[[STEP]]
  // CHECK: %[[WHOLE:.*]] = graph.floor %[[RATIO]]
  // CHECK: %[[POWER:.*]] = graph.pow %{{.*}}, %[[WHOLE]]
  // CHECK: %learning_rate = graph.mul %{{.*}}, %[[POWER]]
}

// -----
// CHECK-LABEL: graph.func @cosine
graph.variable @w : tensor<f32> = #graph.fill<1.0>
graph.func @cosine() {
  %w = graph.read @w : tensor<f32>
  graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = #graph.cosine_decay<rate = 0.5, decay_steps = 10, alpha = 0.25>>
  // CHECK: graph.minimum %global_step
  // CHECK: graph.cos
  // CHECK: %learning_rate = graph.mul
}

// -----
// Linear up to the rate that stands at the last step of the warm-up.
// CHECK-LABEL: graph.func @warm_up
graph.variable @w : tensor<f32> = #graph.fill<1.0>
graph.func @warm_up() {
  %w = graph.read @w : tensor<f32>
  graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = #graph.warm_up<steps = 10, after = 0.5>>
  // CHECK: %[[UP:.*]] = graph.minimum %global_step
  // CHECK: %[[STEP:.*]] = graph.cast %[[UP]]
  // CHECK: %[[RATIO:.*]] = graph.div %[[STEP]]
  // CHECK: %learning_rate = graph.mul %{{.*}}, %[[RATIO]]
}

// -----
// Of sixteen bits the rate alone is made, in the end.
// CHECK-LABEL: graph.func @bf16
graph.variable @w : tensor<bf16> = #graph.fill<1.0>
graph.func @bf16() {
  %w = graph.read @w : tensor<bf16>
  graph.minimize %w : tensor<bf16> with #graph.sgd<learning_rate = #graph.warm_up<steps = 10, after = 0.5>>
  // CHECK: %learning_rate = graph.mul {{.*}} : tensor<f32>, tensor<f32>
  // CHECK: graph.cast %learning_rate {{.*}} to tensor<bf16>
}
