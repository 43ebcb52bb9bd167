// A sparse gradient goes to its table's task as indices and rows. There the
// replicas' lie one behind the other, and one update changes what they name.
// RUN: dtc-opt %s -graph-pipeline "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=between-graph" -dist-partition-pipeline -o %t
// RUN: FileCheck %s < %t
// RUN: dtc-opt %t -convert-dist-to-plan | FileCheck %s --check-prefix=PLAN

graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
graph.func @train() {
  %ids = graph.input "set" at "set.csv" rows 0 to 90 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 8.0>] : tensor<6xi64>
  %t = graph.read @t : tensor<9x2xf32>
  %rows = graph.gather %t, %ids axis 0 : tensor<9x2xf32>, tensor<6xi64>
  %squares = graph.square %rows : tensor<6x2xf32>
  %loss = graph.reduce_mean %squares axes [0, 1] : tensor<6x2xf32>
  graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = 0.9>
}
// CHECK-DAG: dist.send %worker.ids key "ids:0 worker:*->ps:0" to <ps:0/cpu:0> reason "made on worker:*; the replicas' rows of 'ids' on ps:0 takes it" : !dist.placed<tensor<6xi64>, worker:*/cpu:0>
// CHECK-DAG: dist.send {{.*}} to <ps:0/cpu:0> reason "{{.*}}rows of{{.*}}" : !dist.placed<tensor<6x2xf32>, worker:*/cpu:0>
// CHECK: dist.partition on <ps:0/cpu:0> serve
// CHECK: dist.accumulate %ids into "ids" concat {{.*}}: tensor<6xi64>
// CHECK: dist.accumulate %[[ROWS:.*]] into "{{.*}}" concat {{.*}}: tensor<6x2xf32>
// CHECK: dist.partition on <ps:0/cpu:0> apply
// CHECK-DAG: %ids.all = dist.take "ids" policy sync concat {{.*}}: tensor<12xi64>
// CHECK-DAG: %[[ALL:.*]] = dist.take {{.*}} concat {{.*}}: tensor<12x2xf32>
// As a mean: divided by the number of replicas, which rounds, then summed.
// CHECK-DAG: %[[TWO:.*]] = graph.constant dense<2.0{{.*}}> : tensor<f32>
// CHECK: %[[MEAN:.*]] = graph.div %[[ALL]], %[[TWO]]
// CHECK: %[[UNIQUE:.*]], %[[SUMS:.*]] = graph.unique_rows %ids.all, %[[MEAN]] {{.*}} : tensor<12xi64>, tensor<12x2xf32>
// CHECK: graph.apply_momentum %{{.*}}, %{{.*}}, %[[SUMS]] {{.*}} : tensor<12x2xf32>
// CHECK: graph.scatter_update %{{.*}}, %[[UNIQUE]], {{.*}} : tensor<9x2xf32>, tensor<12xi64>, tensor<12x2xf32>

// PLAN: plan.accumulate "ids"(%{{.*}}) {{.*}}: tensor<6xi64>
// PLAN: plan.take "ids" concat {{.*}}: tensor<12xi64>
