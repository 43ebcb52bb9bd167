// Soft placement drops a device's type and number, nothing else, and says so
// once for each wish (D2, P4).
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=in-graph soft-placement=true" 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t
// RUN: not dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=in-graph" 2>&1 | FileCheck %s --check-prefix=HARD

// SAID: soft-placement.mlir:[[# @LINE + 8]]:8: remark: '/job:worker/task:1/device:GPU:0' is not in the cluster: soft placement drops its type and number, for 'a' and 1 more
// SAID-NOT: remark

// HARD: error: 'd' and 'c' must be on one device, but ask for incompatible types: '/gpu:0' and '/job:ps/device:CPU:0'

// CHECK-LABEL: graph.func @f
graph.func @f(%x: tensor<4xf32>) {
  // CHECK: %a = {{.*}}#dist.device<worker:1/cpu:0>, dist.reason = #dist.reason<"asked for '/job:worker/task:1/device:GPU:0'; there is none, and soft placement drops type and number">
  %a = graph.neg %x {device = "/job:worker/task:1/device:GPU:0"} : tensor<4xf32>
  // CHECK: %b = {{.*}}#dist.device<worker:1/cpu:0>
  %b = graph.exp %a {device = "/job:worker/task:1/device:GPU:0"} : tensor<4xf32>
  // Types that disagree within a group are dropped, too; the job is not.
  // CHECK: %c = {{.*}}#dist.device<ps:0/cpu:0>
  %c = graph.neg %b {device = "/job:ps/device:CPU:0"} : tensor<4xf32>
  // CHECK: %d = {{.*}}#dist.device<ps:0/cpu:0>
  %d = graph.neg %c {colocate = ["c"], device = "/gpu:0"} : tensor<4xf32>
  graph.output "d" = %d : tensor<4xf32>
}
