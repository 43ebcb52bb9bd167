// With update async, replicas do not meet: an update takes one push as it is.
// Where no part of a push comes, an empty one says that it is there.
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=2,worker=2 mode=between-graph update=async" | FileCheck %s
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=2,worker=2 mode=between-graph update=async" -dist-partition-pipeline -convert-dist-to-plan | FileCheck %s --check-prefix=PLAN
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=2,worker=2 mode=between-graph update=sync" | FileCheck %s --check-prefix=SYNC
// SYNC-NOT: "push"

graph.variable @t : tensor<8x2xf32> = #graph.fill<1.0>
graph.variable @steps : tensor<i64> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @train
// PLAN-LABEL: plan.entry @train
graph.func @train() {
  %ids = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 8.0>] : tensor<4xi64>
  // A variable may change while it is sent: what is sent is a copy, made at once.
  // PLAN: plan.activation serve
  // PLAN: %[[T:.*]] = plan.load_variable @t
  // PLAN-NEXT: %[[COPY:.*]] = graph.reshape %[[T]]
  // PLAN: plan.send {{.*}}(%[[COPY]])
  %t = graph.read @t : tensor<8x2xf32>
  %rows = graph.gather %t, %ids axis 0 : tensor<8x2xf32>, tensor<4xi64>

  // Rows stay one replica's, and are not divided by their number.
  // CHECK: %ids.sign = graph.slice %ids begin [0] size [0] {dist.activation = #dist.activation<step>, dist.device = #dist.device<worker:*/cpu:0>, dist.follows, dist.reason = #dist.reason<"tells who gets no part of a push that it comes">}
  // CHECK: dist.accumulate %ids into "ids" concat {{.*}}dist.reason = #dist.reason<"each push of 'ids', for 'new'">
  // CHECK: %ids.push = dist.take "ids" policy async concat {{.*}} : tensor<4xi64>
  // CHECK: %rows.push = dist.take "rows" policy async concat {{.*}} : tensor<4x2xf32>
  // CHECK-NEXT: %new = graph.scatter_add %t.apply, %ids.push, %rows.push
  // PLAN: plan.take "ids" concat {{.*}}: tensor<4xi64>
  %new = graph.scatter_add %t, %ids, %rows {graph.rows = array<i64: 1, 2>, graph.update = @t} : tensor<8x2xf32>, tensor<4xi64>, tensor<4x2xf32>
  graph.assign @t, %new : tensor<8x2xf32>

  // What depends on no data is computed once a push, where the variable is.
  // CHECK: %steps = graph.read @steps {{.*}}<apply>, dist.device = #dist.device<ps:1/cpu:0>
  // CHECK: %next = graph.add
  %steps = graph.read @steps : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %next = graph.add %steps, %one : tensor<i64>, tensor<i64>
  graph.assign @steps, %next : tensor<i64>
  // CHECK: dist.accumulate %ids.sign into "push" {dist.activation = #dist.activation<serve>, dist.device = #dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"ps:1 applies each push when it comes">} : tensor<0xi64>
  // CHECK: %push = dist.take "push" policy async {dist.activation = #dist.activation<apply>, dist.device = #dist.device<ps:1/cpu:0>
  // CHECK-NOT: "push_2"
}

// A push that holds nothing is the worker's number.
// CHECK-LABEL: graph.func @count
// CHECK: %worker = graph.replica_index {dist.activation = #dist.activation<step>, dist.device = #dist.device<worker:*/cpu:0>
// CHECK: dist.accumulate %worker into "push"
graph.func @count() {
  %steps = graph.read @steps : tensor<i64>
  %next = graph.add %steps, %steps : tensor<i64>, tensor<i64>
  graph.assign @steps, %next : tensor<i64>
}
