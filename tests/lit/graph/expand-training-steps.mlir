// Who counts steps, and how assign_add becomes an assignment.
// RUN: dtc-opt %s -split-input-file -graph-expand-training | FileCheck %s

// A function that trains counts; one that only asks does not.
// CHECK-LABEL: module @asks
module @asks {
  // CHECK: graph.variable @global_step : tensor<i64> = #graph.fill<0.000000e+00>
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  // CHECK: graph.func @train
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = 0.5>
    // CHECK: %global_step.new = graph.add %{{.*}}, %{{.*}} : tensor<i64>, tensor<i64>
    // CHECK-NEXT: graph.assign @global_step, %global_step.new
  }
  // CHECK: graph.func @ask
  // CHECK-NEXT: %[[STEP:.*]] = graph.read @global_step
  // CHECK-NEXT: graph.output "step" = %[[STEP]]
  // CHECK-NOT: graph.assign
  graph.func @ask() {
    %step = graph.global_step
    graph.output "step" = %step : tensor<i64>
  }
}

// -----
// Nobody needs the count: no variable.
// CHECK-LABEL: module @plain
module @plain {
  // CHECK-NOT: global_step
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = 0.5>
  }
}

// -----
// Who counts by himself is left alone.
// CHECK-LABEL: module @own
module @own {
  graph.variable @global_step : tensor<i64> = #graph.fill<0.0>
  graph.variable @w : tensor<f32> = #graph.fill<1.0>
  graph.func @train() {
    %w = graph.read @w : tensor<f32>
    graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = 0.5>
    %two = graph.constant dense<2> : tensor<i64>
    graph.assign_add @global_step, %two : tensor<i64>
    // CHECK: %global_step.new = graph.add %{{.*}}, %two
    // CHECK-NEXT: graph.assign @global_step, %global_step.new
    // CHECK-NOT: graph.assign @global_step
  }
}
