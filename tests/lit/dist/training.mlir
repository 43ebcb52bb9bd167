// The updates of optimizers that are more than an apply op: each gradient goes
// to its variable's task once, and only scalars go between parameter servers.
// RUN: dtc-opt %s -graph-pipeline "-dist-placement-pipeline=cluster=ps=2,worker=2 mode=between-graph" -dist-partition-pipeline | FileCheck %s

graph.variable @w : tensor<4x3xf32> = #graph.glorot_uniform
graph.variable @b : tensor<3xf32> = #graph.fill<0.0>
graph.func @train() {
  %x, %y = graph.input "set" at "set.csv" rows 0 to 90
      [#graph.column<"x", fields 0 to 4, scale 1.0, range 0.0 to 1.0>,
       #graph.column<"y", fields 4 to 5, scale 1.0, range 0.0 to 2.0>]
      : tensor<6x4xf32>, tensor<6xi64>
  %w = graph.read @w : tensor<4x3xf32>
  %b = graph.read @b : tensor<3xf32>
  %h = graph.matmul %x, %w : tensor<6x4xf32>, tensor<4x3xf32>
  %z = graph.bias_add %h, %b : tensor<6x3xf32>, tensor<3xf32>
  %losses = graph.softmax_cross_entropy %z, %y : tensor<6x3xf32>, tensor<6xi64>
  %loss = graph.reduce_mean %losses axes [0] : tensor<6xf32>
  graph.minimize %loss : tensor<f32> with #graph.adam<learning_rate = #graph.warm_up<steps = 10, after = 0.1>> clip_by_global_norm 1.0
}

// Forward, and gradients to their variables.
// CHECK: dist.send %ps0.w key "w:0
// CHECK: dist.send %ps1.b key "b:0
// CHECK: dist.send %worker.b.grad {{.*}} to <ps:1/cpu:0>
// CHECK-NEXT: dist.recv
// CHECK: dist.send %worker.w.grad {{.*}} to <ps:0/cpu:0>
// Once a step: the step, b's part of the norm, the scale, the rate.
// CHECK: dist.send {{.*}} !dist.placed<tensor<i64>, ps:1/cpu:0>
// CHECK: dist.send {{.*}} !dist.placed<tensor<f32>, ps:1/cpu:0>
// CHECK: dist.send {{.*}} !dist.placed<tensor<f32>, ps:0/cpu:0>
// CHECK: dist.send %ps0.learning_rate.corrected {{.*}} !dist.placed<tensor<f32>, ps:0/cpu:0>
// CHECK-NOT: dist.send
