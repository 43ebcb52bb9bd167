// How variables are spread, and what follows what.
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=2,worker=1 mode=in-graph placement=round-robin" | FileCheck %s
// RUN: not dtc-opt %s "-dist-placement-pipeline=cluster=ps=2,worker=1 mode=in-graph placement=best" 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: there is no placement 'best'; there are greedy, round-robin, manual and cost

// P6: in order of declaration; a slot takes no turn, a variable with a task of
// its own does.
// CHECK: graph.variable @a {{.*}}#dist.device<ps:0/cpu:0>, dist.reason = #dist.reason<"variables live on job ps; ps:0 was next, round robin">
graph.variable @a : tensor<4xf32> = #graph.fill<0.0>
// CHECK: graph.variable @a.momentum {{.*}}#dist.device<ps:0/cpu:0>
graph.variable @a.momentum : tensor<4xf32> = #graph.fill<0.0> slot
// CHECK: graph.variable @b {{.*}}#dist.device<ps:0/cpu:0>, dist.reason = #dist.reason<"asked for '/job:ps/task:0'">
graph.variable @b : tensor<4xf32> = #graph.fill<0.0> {device = "/job:ps/task:0"}
// CHECK: graph.variable @c {{.*}}#dist.device<ps:0/cpu:0>
graph.variable @c : tensor<4xf32> = #graph.fill<0.0>
// P10: what a worker is to keep takes no turn of the ps.
// CHECK: graph.variable @local {{.*}}#dist.device<worker:0/cpu:0>
graph.variable @local : tensor<4xf32> = #graph.fill<0.0> {device = "/job:worker"}
// CHECK: graph.variable @d {{.*}}#dist.device<ps:1/cpu:0>
graph.variable @d : tensor<4xf32> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @f
graph.func @f(%x: tensor<4xf32>) {
  // P3: what is made from a shape is where the value is.
  // CHECK: %d = {{.*}}#dist.device<ps:1/cpu:0>
  %d = graph.read @d : tensor<4xf32>
  // CHECK: %s = graph.shape {{.*}}#dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"made from the shape of 'd', where that is">
  %s = graph.shape %d : tensor<4xf32>
  // P3: but not what has a device of its own.
  // CHECK: %t = graph.shape {{.*}}#dist.device<worker:0/cpu:0>
  %t = graph.shape %d {device = "/job:worker"} : tensor<4xf32>
  graph.output "s" = %s : tensor<1xi64>
  graph.output "t" = %t : tensor<1xi64>
}
