// The policy cost gives every op, variable and reason that the model of costs
// finds best; what has a wish keeps it.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-replicate -dist-place=placement=cost | FileCheck %s
// RUN: dtc-opt %s -dist-assign-jobs="cluster=ps=1,worker=2 mode=in-graph" -dist-replicate -dist-place=placement=cost | FileCheck %s --check-prefix=PS
// RUN: not dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-replicate -dist-place="placement=cost device-memory=1000000" 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=between-graph" -dist-replicate -dist-place=placement=cost 2>&1 | FileCheck %s --check-prefix=BETWEEN

// MEMORY: error: no placement was found in which @heavy has room
// MEMORY: note: worker:0 would need {{[0-9]+}} bytes of 1000000
// MEMORY: note: help: more tasks, or more memory
// BETWEEN: error: placement cost is for mode in-graph; between-graph every worker computes all

// Two products of 2^30 multiply-adds go apart, each with its variable.
// CHECK: graph.variable @a {{.*}}#dist.device<[[A:worker:[01]]]/cpu:0>, dist.reason = #dist.reason<"placement cost: with {{.*}} of work here, a step of [[STEP:[0-9.]+ ms]]; rejected: worker:{{[01]}}, {{[0-9.]+ ms}}; placement greedy, {{[0-9.]+ ms}}">
// PS: graph.variable @a {{.*}}#dist.device<ps:0/cpu:0>, dist.reason = #dist.reason<"variables live on job ps
graph.variable @a : tensor<1024x1024xf32> = #graph.fill<1.0>
// CHECK: graph.variable @b {{.*}}#dist.device<[[B:worker:[01]]]/cpu:0>
graph.variable @b : tensor<1024x1024xf32> = #graph.fill<1.0>

// CHECK-LABEL: graph.func @heavy
// PS-LABEL: graph.func @heavy
graph.func @heavy(%x: tensor<1024x1024xf32>) {
  %a = graph.read @a : tensor<1024x1024xf32>
  %b = graph.read @b : tensor<1024x1024xf32>
  // CHECK: %xa = {{.*}}#dist.device<[[A]]/cpu:0>, dist.reason = #dist.reason<"placement cost: with {{[0-9.]+ ms}} of work here, a step of [[STEP]]; rejected: worker
  %xa = graph.matmul %x, %a : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  // CHECK-NOT: %xb = {{.*}}#dist.device<[[A]]/cpu:0>
  // CHECK: %xb = {{.*}}#dist.device<[[B]]/cpu:0>
  %xb = graph.matmul %x, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  // CHECK: %sa = {{.*}}#dist.device<[[A]]/cpu:0>
  %sa = graph.reduce_sum %xa axes [0, 1] : tensor<1024x1024xf32>
  // CHECK: %sb = {{.*}}#dist.device<[[B]]/cpu:0>
  %sb = graph.reduce_sum %xb axes [0, 1] : tensor<1024x1024xf32>
  %y = graph.add %sa, %sb : tensor<f32>, tensor<f32>
  // CHECK: %wish = {{.*}}#dist.device<worker:1/cpu:0>, dist.reason = #dist.reason<"asked for '/job:worker/task:1'">
  %wish = graph.mul %y, %y {device = "/job:worker/task:1"} : tensor<f32>, tensor<f32>
  graph.output "y" = %wish : tensor<f32>
}

// What is light stays together, on the chief, whose output it is.
// CHECK-LABEL: graph.func @light
graph.func @light(%x: tensor<8xf32>) {
  // CHECK: %e = {{.*}}#dist.device<worker:0/cpu:0>, dist.reason = #dist.reason<"placement cost: {{.*}}; rejected: worker:1, {{.*}}">
  %e = graph.exp %x : tensor<8xf32>
  // CHECK: %t = {{.*}}#dist.device<worker:0/cpu:0>
  %t = graph.tanh %x : tensor<8xf32>
  // CHECK: %s = {{.*}}#dist.device<worker:0/cpu:0>
  %s = graph.add %e, %t : tensor<8xf32>, tensor<8xf32>
  graph.output "s" = %s : tensor<8xf32>
}
