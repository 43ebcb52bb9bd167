// Variables and their updates go to job ps, the rest to the workers; explicit
// devices win.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=ps=1,worker=2 mode=between-graph update=sync" | FileCheck %s
// RUN: dtc-opt %s -dist-assign-jobs="cluster=chief=1,worker=2 mode=in-graph" | FileCheck %s --check-prefix=NOPS
// RUN: dtc-opt %s -dist-assign-jobs="cluster=ps=1,worker=2 mode=local" | FileCheck %s --check-prefix=LOCAL

// CHECK: module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<between_graph>, dist.update = #dist.update<sync>}
// LOCAL: dist.cluster = #dist.cluster<local = 1>, dist.mode = #dist.mode<local>

// P6: without a ps there is nothing to set.
// CHECK: graph.variable @w {{.*}}dist.job = "ps", dist.reason = #dist.reason<"variables live on job ps">
// NOPS: graph.variable @w {{.*}}dist.job = "chief", dist.reason = #dist.reason<"no job ps: the chief keeps the variables">
// LOCAL: graph.variable @w {{.*}}dist.job = "local", dist.reason = #dist.reason<"mode local: everything is in one task">
graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
// P9: a slot follows its variable.
// CHECK: graph.variable @w.momentum {{.*}}dist.job = "ps", dist.reason = #dist.reason<"slot of 'w': with its variable">
graph.variable @w.momentum : tensor<4xf32> = #graph.fill<0.0> slot
// CHECK: graph.variable @v {{.*}}dist.job = "worker", dist.reason = #dist.reason<"asked for '/job:worker/task:1'">
graph.variable @v : tensor<4xf32> = #graph.fill<0.0> {device = "/job:worker/task:1"}

// CHECK-LABEL: graph.func @train
// NOPS-LABEL: graph.func @train
// LOCAL-LABEL: graph.func @train
graph.func @train() {
  // CHECK: graph.input {{.*}}dist.job = "worker", dist.reason = #dist.reason<"each worker computes it">
  // NOPS: graph.input {{.*}}dist.job = "worker", dist.reason = #dist.reason<"no device asked for: the first task of job worker computes it">
  // LOCAL: graph.input {{.*}}dist.job = "local"
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // CHECK: %w = graph.read {{.*}}dist.job = "ps", dist.reason = #dist.reason<"reads 'w' where it lives">
  %w = graph.read @w : tensor<4xf32>
  %s = graph.read @w.momentum : tensor<4xf32>
  // Between-graph, a worker's device is the replica's own; a ps's is itself.
  // CHECK: %g = {{.*}}dist.job = "worker", dist.reason = #dist.reason<"asked for '/job:worker/task:1', which between-graph is each worker's own task">
  // NOPS: %g = {{.*}}dist.job = "worker", dist.reason = #dist.reason<"asked for '/job:worker/task:1'">
  // LOCAL: %g = {{.*}}dist.job = "local", dist.reason = #dist.reason<"mode local: everything is in one task">
  %g = graph.mul %x, %w {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  // CHECK: %n = {{.*}}dist.job = "worker"
  %n = graph.neg %g : tensor<4xf32>
  // The update and what stands between it and the assignment.
  // CHECK: graph.apply_momentum {{.*}}dist.job = "ps", dist.reason = #dist.reason<"update of 'w': with its variable">
  %rate = graph.constant dense<0.1> : tensor<f32>
  %w.new, %s.new = graph.apply_momentum %w, %s, %n learning_rate %rate momentum 0.9 : tensor<4xf32>
  // CHECK: %clipped = {{.*}}dist.job = "ps", dist.reason = #dist.reason<"update of 'w': with its variable">
  %clipped = graph.relu %w.new : tensor<4xf32>
  // CHECK: graph.assign @w, {{.*}}dist.job = "ps"
  graph.assign @w, %clipped : tensor<4xf32>
  graph.assign @w.momentum, %s.new : tensor<4xf32>
  // CHECK: graph.output {{.*}}dist.job = "worker", dist.reason = #dist.reason<"outputs end on the chief">
  // NOPS: graph.output {{.*}}dist.job = "chief"
  graph.output "g" = %g : tensor<4xf32>
}

// Without updates an entry has no replicas.
// CHECK-LABEL: graph.func @eval
graph.func @eval() {
  // CHECK: %v = graph.read {{.*}}dist.job = "worker", dist.reason = #dist.reason<"reads 'v' where it lives">
  %v = graph.read @v : tensor<4xf32>
  // CHECK: graph.neg {{.*}}dist.job = "worker", dist.reason = #dist.reason<"the entry updates nothing: the chief computes it">
  %y = graph.neg %v : tensor<4xf32>
  // CHECK: graph.exp {{.*}}which between-graph is the chief">
  %z = graph.exp %y {device = "/job:worker/task:1"} : tensor<4xf32>
  graph.output "z" = %z : tensor<4xf32>
}
