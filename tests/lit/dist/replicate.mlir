// Between-graph, an entry with updates is a template for all workers; with
// --replicas, what depends on the data is cloned into towers.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=chief=1,ps=1,worker=2 mode=between-graph" -dist-replicate | FileCheck %s
// RUN: dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-replicate=replicas=3 | FileCheck %s --check-prefix=TOWERS

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>

// The chief computes a replica too.
// CHECK: graph.func @train() attributes {dist.replicas = 3 : i64}
// Towers are no replicas of the run: one task reads all their blocks.
// TOWERS: graph.func @train() attributes {dist.replicas = 1 : i64}
graph.func @train() {
  // CHECK-COUNT-1: graph.input
  // CHECK-NOT: graph.input
  // TOWERS: %x = graph.input {{.*}}dist.tower = 0 : i64, graph.block = 0 : i64, graph.blocks = 3 : i64
  // TOWERS: %x.r1 = graph.input {{.*}}dist.tower = 1 : i64, graph.block = 1 : i64, graph.blocks = 3 : i64
  // TOWERS: %x.r2 = graph.input {{.*}}dist.tower = 2 : i64, graph.block = 2 : i64, graph.blocks = 3 : i64
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // What is the same for all towers stays one.
  // TOWERS-COUNT-1: graph.read
  // TOWERS-NOT: graph.read
  %w = graph.read @w : tensor<4xf32>
  // TOWERS: %g = graph.mul %x, %w
  // TOWERS: %g.r1 = graph.mul %x.r1, %w
  // TOWERS: %g.r2 = graph.mul %x.r2, %w
  // The mean stands where an update and an output take the value, once.
  // TOWERS: %g.mean = graph.replica_mean %g, %g.r1, %g.r2 {dist.job = "worker", dist.reason = #dist.reason<"mean over 3 towers, for 'w.new'">}
  %g = graph.mul %x, %w : tensor<4xf32>, tensor<4xf32>
  // TOWERS: graph.apply_gradient_descent %w, %g.mean
  %rate = graph.constant dense<0.1> : tensor<f32>
  %w.new = graph.apply_gradient_descent %w, %g learning_rate %rate : tensor<4xf32>
  graph.assign @w, %w.new : tensor<4xf32>
  // TOWERS: graph.output "g" = %g.mean
  graph.output "g" = %g : tensor<4xf32>
}

// CHECK: graph.func @eval() attributes {dist.replicas = 1 : i64}
// TOWERS: graph.func @eval() attributes {dist.replicas = 1 : i64}
graph.func @eval() {
  // TOWERS-COUNT-1: graph.input
  // TOWERS-NOT: graph.input
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  graph.output "x" = %x : tensor<4xf32>
}
