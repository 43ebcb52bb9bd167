// RUN: dtc-opt %s -dist-placement-pipeline -dist-partition-pipeline -convert-dist-to-plan | FileCheck %s
// RUN: dtc-opt %s --pass-pipeline='builtin.module(dist-placement-pipeline,dist-partition-pipeline,convert-dist-to-plan,plan-form-kernels,plan-schedule)' | FileCheck %s --check-prefix=ORDER

graph.variable @a : tensor<4xf32> = #graph.fill<1.0>
graph.variable @b : tensor<4xf32> = #graph.fill<2.0>

// A loaded value is a variable's storage. Two variables that take each other's
// value need a copy, or each store would wait for the other.
// CHECK-LABEL: plan.entry @swap
// ORDER-LABEL: plan.entry @swap
graph.func @swap() {
  // CHECK: %[[A:.*]] = plan.load_variable @a
  // CHECK: %[[B:.*]] = plan.load_variable @b
  %a = graph.read @a : tensor<4xf32>
  %b = graph.read @b : tensor<4xf32>
  // CHECK: %[[COPY:.*]] = graph.reshape %[[B]]
  // CHECK: plan.store_variable @a(%[[COPY]])
  // ORDER: plan.store_variable @a(%{{.*}}) after [3]
  graph.assign @a, %b : tensor<4xf32>
  // ORDER: plan.store_variable @b(%{{.*}}) after [2]
  graph.assign @b, %a : tensor<4xf32>
}

// A variable that is read twice is loaded once.
// CHECK-LABEL: plan.entry @twice
// CHECK-COUNT-1: plan.load_variable @a
// CHECK-NOT: plan.load_variable @a
graph.func @twice() {
  %a = graph.read @a : tensor<4xf32>
  %again = graph.read @a : tensor<4xf32>
  %sum = graph.add %a, %again : tensor<4xf32>, tensor<4xf32>
  graph.output "sum" = %sum : tensor<4xf32>
}
