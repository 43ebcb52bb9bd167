// What must be together is on one device: what names the same thing in
// `colocate`, what names a variable, and what a variable's ops are (P1).
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=2,worker=3 mode=in-graph" | FileCheck %s
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=2,worker=3 mode=between-graph" | FileCheck %s --check-prefix=BETWEEN
// RUN: dtc-opt %s "-dist-placement-pipeline=mode=local" | FileCheck %s --check-prefix=LOCAL

// P9: a slot is with its variable.
// CHECK: graph.variable @w {{.*}}#dist.device<ps:0/cpu:0>
// CHECK: graph.variable @w.momentum {{.*}}#dist.device<ps:0/cpu:0>
graph.variable @w : tensor<8xf32> = #graph.fill<0.0>
graph.variable @w.momentum : tensor<8xf32> = #graph.fill<0.0> slot
// P1: a wish of one is a wish of all: @a asks for nothing, @b for the task.
// CHECK: graph.variable @a {{.*}}#dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"with variable 'b', which asked for '/job:ps/task:1'">
// CHECK: graph.variable @b {{.*}}#dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"asked for '/job:ps/task:1'">
graph.variable @a : tensor<8xf32> = #graph.fill<0.0> {colocate = ["b"]}
graph.variable @b : tensor<8xf32> = #graph.fill<0.0> {device = "/job:ps/task:1"}

// CHECK-LABEL: graph.func @names
// BETWEEN-LABEL: graph.func @names
// LOCAL-LABEL: graph.func @names
graph.func @names(%x: tensor<8xf32>) {
  // D2: the parts of a device come together from all over the group.
  // CHECK: %h = {{.*}}#dist.device<worker:2/cpu:0>, dist.reason = #dist.reason<"asked for '/job:worker'">
  // BETWEEN: %h = {{.*}}#dist.device<worker:0/cpu:0>
  // LOCAL: %h = {{.*}}#dist.device<local:0/cpu:0>
  %h = graph.neg %x {device = "/job:worker"} : tensor<8xf32>
  // CHECK: %i = {{.*}}#dist.device<worker:2/cpu:0>, dist.reason = #dist.reason<"with 'h', which asked for '/job:worker'">
  %i = graph.exp %h {colocate = ["h"]} : tensor<8xf32>
  // TensorFlow's spelling of a name.
  // CHECK: %j = {{.*}}#dist.device<worker:2/cpu:0>
  %j = graph.neg %i {colocate = ["loc:@i"], device = "/task:2"} : tensor<8xf32>
  // With a variable, far from where it would be.
  // CHECK: %k = {{.*}}#dist.device<ps:1/cpu:0>, dist.reason = #dist.reason<"colocated with variable 'a'">
  // BETWEEN: %k = {{.*}}#dist.device<ps:1/cpu:0>
  // LOCAL: %k = {{.*}}#dist.device<local:0/cpu:0>
  %k = graph.neg %j {colocate = ["a"]} : tensor<8xf32>
  // By way of another op.
  // CHECK: %l = {{.*}}#dist.device<ps:1/cpu:0>
  // BETWEEN: %l = {{.*}}#dist.device<ps:1/cpu:0>
  %l = graph.exp %k {colocate = ["k"]} : tensor<8xf32>
  // Two groups of one op become one.
  // CHECK: %m = {{.*}}#dist.device<ps:1/cpu:0>
  %m = graph.neg %x : tensor<8xf32>
  // CHECK: %n = {{.*}}#dist.device<ps:1/cpu:0>
  %n = graph.add %l, %m {colocate = ["m", "l"]} : tensor<8xf32>, tensor<8xf32>
  // Without colocation an op is where it is by itself.
  // CHECK: %o = {{.*}}#dist.device<worker:0/cpu:0>
  %o = graph.neg %n : tensor<8xf32>
  graph.output "o" = %o : tensor<8xf32>
}

// A training step runs updates apart from what the replicas do: what was
// together by way of an update stays with its variable.
// BETWEEN-LABEL: graph.func @train
graph.func @train() {
  // BETWEEN: graph.input {{.*}}#dist.device<worker:*/cpu:0>
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<8xf32>
  // BETWEEN: %w = {{.*}}#dist.device<ps:0/cpu:0>
  %w = graph.read @w : tensor<8xf32>
  // BETWEEN: %g = {{.*}}<serve>, dist.device = #dist.device<ps:0/cpu:0>
  %g = graph.mul %x, %w {colocate = ["u"]} : tensor<8xf32>, tensor<8xf32>
  %rate = graph.constant dense<0.1> : tensor<f32>
  // BETWEEN: %u = graph.apply_gradient_descent {{.*}}<apply>, dist.device = #dist.device<ps:0/cpu:0>
  %u = graph.apply_gradient_descent %w, %g learning_rate %rate : tensor<8xf32>
  graph.assign @w, %u : tensor<8xf32>
}
