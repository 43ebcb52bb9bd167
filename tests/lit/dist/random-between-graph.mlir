// Between-graph, all workers share one text; a random op in it asks, when it
// runs, which replica it draws for. Nothing of that crosses an edge.
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=between-graph" -dist-partition-pipeline -o %t
// RUN: FileCheck %s < %t
// RUN: dtc-opt %t -convert-dist-to-plan | FileCheck %s --check-prefix=PLAN

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.variable @n : tensor<i64> = #graph.fill<0.0>
graph.func @train() {
  %step = graph.read @n : tensor<i64>
  // CHECK-NOT: dist.send {{.*}}replica
  // A ps that draws for its workers does so for the one that it serves.
  // CHECK: dist.partition on <ps:0/cpu:0> serve
  // CHECK: %[[SERVED:.*]] = graph.replica_index
  // CHECK-NEXT: %pinned = graph.random_uniform %{{.*}} replica %[[SERVED]]
  // CHECK: dist.partition on <worker:*/cpu:0> step
  // CHECK: %replica = graph.replica_index
  // CHECK: %noise = graph.random_uniform %{{.*}} replica %replica
  %noise = graph.random_uniform %step seed 7 stream "noise" low 0.0 high 1.0 : tensor<4xf32>
  %more = graph.random_normal %step seed 7 stream "more" mean 0.0 stddev 1.0 : tensor<4xf32>
  %pinned = graph.random_uniform %step seed 7 stream "pinned" low 0.0 high 1.0 {device = "/job:ps/task:0"} : tensor<4xf32>
  %some = graph.add %noise, %more : tensor<4xf32>, tensor<4xf32>
  %all = graph.add %some, %pinned : tensor<4xf32>, tensor<4xf32>
  // CHECK: dist.accumulate %all into "all"
  graph.assign @w, %all : tensor<4xf32>
}

// An activation reads its number once.
// PLAN: plan.program on <ps:0>
// PLAN: plan.activation serve
// PLAN: plan.replica_index {{.*}}: tensor<i64>
// PLAN: plan.program on <worker:*>
// PLAN: %[[REPLICA:.*]] = plan.replica_index {{.*}}: tensor<i64>
// PLAN-NOT: plan.replica_index
// PLAN: graph.random_uniform %{{.*}} replica %[[REPLICA]]
// PLAN: graph.random_normal %{{.*}} replica %[[REPLICA]]
