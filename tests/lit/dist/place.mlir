// Every variable and op gets a device, an activation and a reason; what only
// the decision needed is gone.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=ps=2,worker=2 mode=between-graph" -dist-replicate -dist-insert-aggregation -dist-place | FileCheck %s
// RUN: dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-replicate -dist-place | FileCheck %s --check-prefix=INGRAPH
// RUN: dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-replicate=replicas=2 -dist-place | FileCheck %s --check-prefix=TOWERS

// P7, P9: the largest variable is placed first; a slot counts for its variable.
// CHECK: graph.variable @small {{.*}}#dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"variables live on job ps; ps:1 held the fewest bytes, 0">
// CHECK-NOT: dist.job
graph.variable @small : tensor<4xf32> = #graph.fill<0.0>
// CHECK: graph.variable @large {{.*}}#dist.device<ps:0/cpu:0>
graph.variable @large : tensor<4xf32> = #graph.fill<0.0>
// CHECK: graph.variable @large.momentum {{.*}}#dist.device<ps:0/cpu:0>
graph.variable @large.momentum : tensor<4xf32> = #graph.fill<0.0> slot
// INGRAPH: graph.variable @wish {{.*}}#dist.device<worker:1/cpu:0>, dist.reason = #dist.reason<"asked for '/job:worker/task:1'">
graph.variable @wish : tensor<4xf32> = #graph.fill<0.0> {device = "/job:worker/task:1"}

// CHECK-LABEL: graph.func @train
// INGRAPH-LABEL: graph.func @train
// TOWERS-LABEL: graph.func @train
graph.func @train() {
  // CHECK: %x = graph.input {{.*}}<step>, dist.device = #dist.device<worker:*/cpu:0>
  // P3: all its users are on worker 1.
  // INGRAPH: %x = graph.input {{.*}}#dist.device<worker:1/cpu:0>, dist.reason = #dist.reason<"where 'far' uses it">
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // CHECK: %small = {{.*}}<serve>, dist.device = #dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"reads 'small' where it lives">
  %small = graph.read @small : tensor<4xf32>
  // A constant goes to its first user.
  // INGRAPH: %c = graph.constant {{.*}}#dist.device<worker:1/cpu:0>
  %c = graph.constant dense<2.0> : tensor<4xf32>
  // CHECK: %far = {{.*}}<step>, dist.device = #dist.device<worker:*/cpu:0>
  // INGRAPH: %far = graph.mul %x, %c {dist.activation = #dist.activation<step>, dist.device = #dist.device<worker:1/cpu:0>
  %far = graph.mul %x, %c {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  // INGRAPH: %near = {{.*}}#dist.device<worker:0/cpu:0>
  // Towers go round the workers.
  // TOWERS: %near = {{.*}}#dist.device<worker:0/cpu:0>, dist.reason = #dist.reason<"tower 0: towers go round the tasks of job worker">
  // TOWERS: %near.r1 = {{.*}}#dist.device<worker:1/cpu:0>
  %near = graph.mul %far, %small : tensor<4xf32>, tensor<4xf32>
  // CHECK: dist.accumulate {{.*}}<serve>, dist.device = #dist.device<ps:1/cpu:0>
  // CHECK: dist.take {{.*}}<apply>, dist.device = #dist.device<ps:1/cpu:0>
  // CHECK: %new = {{.*}}<apply>, dist.device = #dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"update of 'small': with its variable">
  %rate = graph.constant dense<0.1> : tensor<f32>
  %new = graph.apply_gradient_descent %small, %near learning_rate %rate : tensor<4xf32>
  // CHECK: graph.assign @small, {{.*}}<apply>, dist.device = #dist.device<ps:1/cpu:0>
  graph.assign @small, %new : tensor<4xf32>
  // CHECK: dist.accumulate {{.*}}<serve>, dist.device = #dist.device<worker:0/cpu:0>
  // CHECK: graph.output {{.*}}<apply>, dist.device = #dist.device<worker:0/cpu:0>
  // INGRAPH: graph.output {{.*}}<step>, dist.device = #dist.device<worker:0/cpu:0>
  graph.output "near" = %near : tensor<4xf32>
}

// Each worker reads its own rows, also where only a ps uses them.
// CHECK-LABEL: graph.func @data
// INGRAPH-LABEL: graph.func @data
// TOWERS-LABEL: graph.func @data
graph.func @data() {
  // CHECK: %x = graph.input {{.*}}<step>, dist.device = #dist.device<worker:*/cpu:0>
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // CHECK: dist.accumulate %x {{.*}}<serve>, dist.device = #dist.device<ps:1/cpu:0>
  graph.assign @small, %x : tensor<4xf32>
}
