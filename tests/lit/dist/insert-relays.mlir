// Once for each replica, a value travels only to and from the replica's worker.
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=2,worker=2 mode=between-graph" | FileCheck %s
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=2,worker=2 mode=between-graph" -dist-partition-pipeline | FileCheck %s --check-prefix=EDGES

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @train
// EDGES-LABEL: graph.func @train
graph.func @train() {
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  %w = graph.read @w : tensor<4xf32>
  // CHECK: %far = graph.mul %x, %w {{.*}}<serve>, dist.device = #dist.device<ps:0/cpu:0>
  // CHECK: %far.relay = graph.reshape %far {dist.activation = #dist.activation<step>, dist.device = #dist.device<worker:*/cpu:0>, dist.follows, dist.reason = #dist.reason<"each worker hands 'far' on from ps:0 to ps:1">}
  %far = graph.mul %x, %w {device = "/job:ps/task:0"} : tensor<4xf32>, tensor<4xf32>
  // Who takes it on a third task shares the relay.
  // CHECK: %g = graph.neg %far.relay {{.*}}<serve>, dist.device = #dist.device<ps:1/cpu:0>
  // EDGES: key "far:0 ps:0->worker:*"
  // EDGES: key "far.relay:0 worker:*->ps:1"
  // EDGES-NOT: ps:0->worker:0
  %g = graph.neg %far {device = "/job:ps/task:1"} : tensor<4xf32>
  // CHECK: %g.relay = graph.reshape %g
  // CHECK: dist.accumulate %g.relay {{.*}}#dist.device<ps:0/cpu:0>
  %rate = graph.constant dense<0.1> : tensor<f32>
  %new = graph.apply_gradient_descent %w, %g learning_rate %rate : tensor<4xf32>
  graph.assign @w, %new : tensor<4xf32>
  // CHECK: dist.accumulate %far.relay {{.*}}#dist.device<worker:0/cpu:0>
  graph.output "far" = %far : tensor<4xf32>
}

// CHECK-LABEL: graph.func @feed
graph.func @feed(%x: tensor<4xf32>) {
  %d = graph.input "d" rows 0 to 8 [#graph.column<"d", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // A feed ends on the chief, worker:0.
  // CHECK: %x.relay = graph.reshape %x
  // CHECK: graph.mul %x.relay, %d {{.*}}<serve>, dist.device = #dist.device<ps:0/cpu:0>
  %y = graph.mul %x, %d {device = "/job:ps/task:0"} : tensor<4xf32>, tensor<4xf32>
  graph.assign @w, %y : tensor<4xf32>
}
