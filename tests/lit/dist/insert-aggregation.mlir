// Between-graph, what differs from worker to worker enters updates and outputs
// as a mean; what does not is computed there, once a step.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=ps=1,worker=2 mode=between-graph" -dist-replicate -dist-insert-aggregation | FileCheck %s

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.variable @v : tensor<4xf32> = #graph.fill<0.0>
graph.variable @steps : tensor<i64> = dense<0> : tensor<i64>

// CHECK-LABEL: graph.func @train
graph.func @train() {
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // The update reads its variable itself.
  // CHECK: %w = graph.read @w
  // CHECK: %w.apply = graph.read @w {dist.activation = #dist.activation<apply>
  %w = graph.read @w : tensor<4xf32>
  // CHECK: %g = graph.mul %x, %w {
  %g = graph.mul %x, %w : tensor<4xf32>, tensor<4xf32>

  // CHECK: dist.accumulate %g into "g" {dist.activation = #dist.activation<serve>
  // CHECK: %g.mean = dist.take "g" policy sync {dist.activation = #dist.activation<apply>
  // CHECK: %w.new = graph.apply_gradient_descent %w.apply, %g.mean {{.*}}dist.activation = #dist.activation<apply>
  %rate = graph.constant dense<0.1> : tensor<f32>
  %w.new = graph.apply_gradient_descent %w, %g learning_rate %rate : tensor<4xf32>
  graph.assign @w, %w.new : tensor<4xf32>

  // What replicas assign without an optimizer is averaged too; another variable
  // may live on another task, so it has an accumulator of its own.
  // CHECK: dist.accumulate %g into "g_2"
  // CHECK: %g.mean_2 = dist.take "g_2"
  // CHECK: graph.assign @v, %g.mean_2
  graph.assign @v, %g : tensor<4xf32>

  // A counter depends on no data: no mean, whatever its type. Since no worker
  // uses it, it is not computed again, but only there.
  // CHECK: %steps = graph.read @steps {dist.activation = #dist.activation<apply>
  // CHECK: %one = graph.constant
  // CHECK: %next = graph.add %steps, %one {dist.activation = #dist.activation<apply>
  // CHECK-NOT: graph.add
  // CHECK: graph.assign @steps, %next
  %steps = graph.read @steps : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %next = graph.add %steps, %one : tensor<i64>, tensor<i64>
  graph.assign @steps, %next : tensor<i64>

  // CHECK: dist.accumulate %g into "g_3"
  // CHECK: %g.mean_3 = dist.take "g_3"
  // CHECK: graph.output "g" = %g.mean_3
  graph.output "g" = %g : tensor<4xf32>
  // CHECK: graph.output "steps" = %next
  graph.output "steps" = %next : tensor<i64>
  // CHECK: graph.output "new" = %w.new
  graph.output "new" = %w.new : tensor<4xf32>
}

// Nothing to combine where nothing is updated.
// CHECK-LABEL: graph.func @eval
graph.func @eval() {
  // CHECK-NOT: dist.accumulate
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // CHECK: graph.output "x" = %x
  graph.output "x" = %x : tensor<4xf32>
}
