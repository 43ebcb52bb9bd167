// Replicas draw different random numbers: a tower gets its number as a constant,
// a worker asks for it when it runs.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-replicate=replicas=2 | FileCheck %s
// RUN: dtc-opt %s -dist-assign-jobs="mode=local" -dist-replicate | FileCheck %s --check-prefix=LOCAL
// RUN: dtc-opt %s -dist-assign-jobs="cluster=ps=1,worker=2 mode=between-graph" -dist-replicate | FileCheck %s --check-prefix=WORKERS

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.variable @n : tensor<i64> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @train
// LOCAL-LABEL: graph.func @train
// WORKERS-LABEL: graph.func @train
graph.func @train() {
  %w = graph.read @w : tensor<4xf32>
  %step = graph.read @n : tensor<i64>
  // The first tower is replica 0, as one replica is.
  // CHECK: %noise = graph.random_uniform %step seed 7
  // CHECK: %[[NUMBER:.*]] = graph.constant dense<1> : tensor<i64>
  // CHECK-NEXT: %noise.r1 = graph.random_uniform %step replica %[[NUMBER]] seed 7
  // LOCAL: graph.random_uniform %step seed 7
  // WORKERS: %replica = graph.replica_index
  // WORKERS: %noise = graph.random_uniform %step replica %replica seed 7
  %noise = graph.random_uniform %step seed 7 stream "noise" low 0.0 high 1.0 : tensor<4xf32>
  // Who names a replica gets one value for all.
  // CHECK: %same = graph.random_uniform %step replica %step
  // CHECK-NOT: %same.r1
  // WORKERS: %same = graph.random_uniform %step replica %step
  %same = graph.random_uniform %step replica %step seed 7 stream "same" low 0.0 high 1.0 : tensor<4xf32>
  // CHECK: %[[INDEX:.*]] = graph.constant dense<0> : tensor<i64>
  // CHECK: %[[NEXT:.*]] = graph.constant dense<1> : tensor<i64>
  // LOCAL: graph.constant dense<0> : tensor<i64>
  // WORKERS: %index = graph.replica_index
  %index = graph.replica_index
  // CHECK: graph.cast %[[INDEX]]
  // CHECK: graph.cast %[[NEXT]]
  %real = graph.cast %index : tensor<i64> to tensor<f32>
  %a = graph.add %w, %noise : tensor<4xf32>, tensor<4xf32>
  %b = graph.mul %a, %same : tensor<4xf32>, tensor<4xf32>
  %c = graph.mul %b, %real : tensor<4xf32>, tensor<f32>
  // CHECK: graph.replica_mean %c, %c.r1
  graph.assign @w, %c : tensor<4xf32>
}

// An entry that updates nothing has one replica, 0.
// WORKERS-LABEL: graph.func @eval
graph.func @eval() {
  // WORKERS: %index = graph.constant dense<0> : tensor<i64>
  %index = graph.replica_index
  graph.output "index" = %index : tensor<i64>
}
