// The update of each optimizer: slots, their first values, and the rule.
// RUN: dtc-opt %s -split-input-file -graph-expand-training | FileCheck %s

// CHECK-LABEL: module @nesterov
module @nesterov {
  graph.variable @w : tensor<3xf32> = #graph.fill<1.0>
  graph.func @train(%x: tensor<3xf32>) {
    %w = graph.read @w : tensor<3xf32>
    %xw = graph.mul %x, %w : tensor<3xf32>, tensor<3xf32>
    %loss = graph.reduce_sum %xw axes [0] : tensor<3xf32>
    graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.5, momentum = 0.9, nesterov = true>
    // CHECK: graph.apply_momentum {{.*}} momentum 9.000000e-01 nesterov :
  }
}

// -----
// CHECK-LABEL: module @adagrad
module @adagrad {
  // CHECK: graph.variable @w.adagrad : tensor<f32> = #graph.fill<2.500000e-01> slot
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.adagrad<learning_rate = 0.5, initial_accumulator = 0.25>
    // CHECK: %[[RATE:.*]] = graph.constant dense<5.000000e-01>
    // CHECK: %w.new, %w.adagrad.new = graph.apply_adagrad %w, %w.adagrad, %w.grad learning_rate %[[RATE]] epsilon
    // CHECK: graph.assign @w, %w.new
    // CHECK: graph.assign @w.adagrad, %w.adagrad.new
    // Nothing counts steps.
    // CHECK-NOT: global_step
  }
}

// -----
// Adam's rate: rate * sqrt(1 - beta2^t) / (1 - beta1^t), t = step + 1.
// CHECK-LABEL: module @adam
module @adam {
  // CHECK: graph.variable @w : tensor<f32>
  // CHECK-NEXT: graph.variable @w.m : {{.*}} = #graph.fill<0.000000e+00> slot
  // CHECK-NEXT: graph.variable @w.v : {{.*}} = #graph.fill<0.000000e+00> slot
  // CHECK-NEXT: graph.variable @global_step : tensor<i64> = #graph.fill<0.000000e+00>
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.adam<learning_rate = 0.5>
    // CHECK: %[[STEP:.*]] = graph.cast %global_step
    // CHECK: %[[T:.*]] = graph.add %[[STEP]]
    // CHECK: %[[POWER:.*]] = graph.pow {{.*}}, %[[T]]
    // CHECK: %[[BIAS2:.*]] = graph.sub {{.*}}, %[[POWER]]
    // CHECK: %[[ROOT:.*]] = graph.sqrt %[[BIAS2]]
    // CHECK: %[[SCALED:.*]] = graph.mul {{.*}}, %[[ROOT]]
    // CHECK: %learning_rate.corrected = graph.div %[[SCALED]], %{{.*}} {graph.update = @w}
    // CHECK: %w.new, %w.m.new, %w.v.new = graph.apply_adam %w, %w.m, %w.v, {{.*}} learning_rate %learning_rate.corrected
    // CHECK: graph.assign @w.v, %w.v.new
  }
}

// -----
// The decay takes part neither in m nor in v.
// CHECK-LABEL: module @adamw
module @adamw {
  graph.variable @w : tensor<f64> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f64>
    graph.minimize %w : tensor<f64> with #graph.adamw<learning_rate = 0.5, weight_decay = 0.25>
    // CHECK: %[[FACTOR:.*]] = graph.mul %{{.*}}, %{{.*}} {graph.update = @w} : tensor<f64>
    // CHECK: %[[DECAY:.*]] = graph.mul %w, %[[FACTOR]]
    // CHECK: %[[DECAYED:.*]] = graph.sub %w, %[[DECAY]]
    // CHECK: graph.apply_adam %[[DECAYED]], %w.m, %w.v, %w.grad
  }
}

// -----
// CHECK-LABEL: module @rmsprop
module @rmsprop {
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.rmsprop<learning_rate = 0.5, momentum = 0.5>
    // CHECK: %w.new, %w.ms.new, %w.mom.new = graph.apply_rmsprop %w, %w.ms, %w.mom, %w.grad
  }
}

// -----
// LAMB has no apply op; graph.update keeps its ops in the update.
// CHECK-LABEL: module @lamb
module @lamb {
  graph.variable @w : tensor<3xf32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<3xf32>
    %loss = graph.reduce_sum %w axes [0] : tensor<3xf32>
    graph.minimize %loss : tensor<f32> with #graph.lamb<learning_rate = 0.5, weight_decay = 0.25>
    // CHECK: %w.m.new = graph.add {{.*}} {graph.update = @w}
    // CHECK: %w.v.new = graph.add {{.*}} {graph.update = @w}
    // CHECK-COUNT-2: graph.reduce_sum {{.*}} axes [0] {graph.update = @w}
    // CHECK-COUNT-2: graph.select {{.*}} {graph.update = @w}
    // CHECK: %w.new = graph.sub %w, {{.*}} {graph.update = @w}
    // CHECK: graph.assign @w.v, %w.v.new
  }
}
