// One program over tasks that the graph names, over a ps, and in one task.
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=worker=2 mode=in-graph" -dist-partition-pipeline | FileCheck %s
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=in-graph replicas=2" -dist-partition-pipeline | FileCheck %s --check-prefix=TOWERS
// RUN: dtc-opt %s "-dist-placement-pipeline=mode=local" -dist-partition-pipeline | FileCheck %s --check-prefix=LOCAL

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>

graph.func @train() {
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  %w = graph.read @w : tensor<4xf32>
  %h = graph.mul %x, %w : tensor<4xf32>, tensor<4xf32>
  %g = graph.neg %h {device = "/job:worker/task:1"} : tensor<4xf32>
  %rate = graph.constant dense<0.1> : tensor<f32>
  %w.new = graph.apply_gradient_descent %w, %g learning_rate %rate : tensor<4xf32>
  graph.assign @w, %w.new : tensor<4xf32>
  graph.output "h" = %h : tensor<4xf32>
}

// Everything runs once a step.
// CHECK-LABEL: graph.func @train() attributes {dist.replicas = 1 : i64}
// CHECK-NEXT: dist.partition on <worker:0/cpu:0> step
// CHECK: dist.send %worker0.h key "h:0 worker:0->worker:1"
// CHECK-NEXT: %worker1.h = dist.recv
// CHECK-NEXT: %worker1.g = dist.partition on <worker:1/cpu:0> step
// CHECK: dist.send %worker1.g key "g:0 worker:1->worker:0"
// CHECK: dist.partition on <worker:0/cpu:0> step
// CHECK: graph.assign @w
// CHECK-NOT: dist.partition

// Tower 1 is on worker 1, but what names its task stays there for all towers;
// the mean is taken where the update is.
// TOWERS-LABEL: graph.func @train() attributes {dist.replicas = 1 : i64}
// TOWERS: dist.send %ps0.w key "w:0 ps:0->worker:0"
// TOWERS: dist.send %ps0.w key "w:0 ps:0->worker:1"
// TOWERS: dist.partition on <ps:0/cpu:0> step
// TOWERS: %g.mean = graph.replica_mean %g, %g.r1
// TOWERS: graph.apply_gradient_descent {{.*}}%g.mean

// LOCAL: dist.cluster = #dist.cluster<local = 1>, dist.mode = #dist.mode<local>
// LOCAL-LABEL: graph.func @train
// LOCAL-NEXT: dist.partition on <local:0/cpu:0> step {
// LOCAL-NOT: dist.partition
// LOCAL-NOT: dist.send
