// Ops of one device and activation form one partition, unless that made a
// cycle; what crosses becomes a transfer, one for each partition that takes it.
// RUN: dtc-opt %s -dist-assign-jobs="cluster=worker=2 mode=in-graph" -dist-place -dist-form-partitions | FileCheck %s

// CHECK: graph.variable @w {{.*}}dist.device = #dist.device<worker:0/cpu:0>
graph.variable @w : tensor<4xf32> = #graph.fill<0.0>

// Worker 0, then 1, then 0 again: two fragments on worker 0.
// CHECK-LABEL: graph.func @thereAndBack
graph.func @thereAndBack() {
  %c = graph.constant dense<2.0> : tensor<4xf32>
  %w = graph.read @w : tensor<4xf32>
  %a = graph.mul %w, %c : tensor<4xf32>, tensor<4xf32>
  %b = graph.mul %a, %c {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  %d = graph.add %a, %b : tensor<4xf32>, tensor<4xf32>
  graph.output "d" = %d : tensor<4xf32>
  // The constant is copied; it never crosses.
  // CHECK-NEXT: %worker0.a = dist.partition on <worker:0/cpu:0> step
  // CHECK-NEXT: -> ("a" : tensor<4xf32>) {
  // CHECK-NEXT: graph.read
  // CHECK-NEXT: graph.constant
  // CHECK-NEXT: graph.mul
  // CHECK: %worker1.a = dist.transfer %worker0.a name "a" slot 0 into step reason "made on worker:0; 'b' on worker:1 takes it" : !dist.placed<tensor<4xf32>, worker:0/cpu:0> to !dist.placed<tensor<4xf32>, worker:1/cpu:0>
  // CHECK-NEXT: %worker1.b = dist.partition on <worker:1/cpu:0> step
  // CHECK-NEXT: ("a" = %worker1.a as %a: tensor<4xf32> from <worker:0/cpu:0>)
  // CHECK-NEXT: -> ("b" : tensor<4xf32>) {
  // CHECK-NEXT: graph.constant
  // CHECK: %worker0.b = dist.transfer %worker1.b name "b"
  // What stays on a device is handed from fragment to fragment.
  // CHECK-NEXT: dist.partition on <worker:0/cpu:0> step
  // CHECK-NEXT: (
  // CHECK-NEXT: "a" = %worker0.a as %a: tensor<4xf32>,
  // CHECK-NEXT: "b" = %worker0.b as %b: tensor<4xf32> from <worker:1/cpu:0>) {
  // CHECK-NEXT: graph.add
  // CHECK-NEXT: graph.output "d"
  // CHECK-NEXT: dist.yield
}

// A read that no edge feeds joins the fragment of its users.
// CHECK-LABEL: graph.func @sinks
graph.func @sinks() {
  %w = graph.read @w : tensor<4xf32>
  %c = graph.constant dense<2.0> : tensor<4xf32>
  %b = graph.exp %c {device = "/job:worker/task:1"} : tensor<4xf32>
  %d = graph.add %w, %b : tensor<4xf32>, tensor<4xf32>
  graph.output "d" = %d : tensor<4xf32>
  // CHECK-NEXT: dist.partition on <worker:1/cpu:0>
  // CHECK: dist.partition on <worker:0/cpu:0>
  // CHECK: graph.read
  // CHECK-NOT: dist.partition
}

// A feed enters on the chief; for another task the chief hands it on.
// CHECK-LABEL: graph.func @feed(%x: tensor<4xf32>)
graph.func @feed(%x: tensor<4xf32>) {
  %a = graph.neg %x {device = "/job:worker/task:1"} : tensor<4xf32>
  %b = graph.add %a, %x : tensor<4xf32>, tensor<4xf32>
  graph.output "b" = %b : tensor<4xf32>
  // CHECK-NEXT: %worker0.x = dist.partition on <worker:0/cpu:0> step
  // CHECK-NEXT: ("x" = %x as %x_0: tensor<4xf32> feed)
  // CHECK-NEXT: -> ("x" : tensor<4xf32>) {
  // CHECK-NEXT: dist.yield %x_0
  // CHECK: %worker1.x = dist.transfer %worker0.x name "x" slot 0 into step reason "fed to the chief, worker:0; 'a' on worker:1 takes it"
  // CHECK: dist.partition on <worker:0/cpu:0> step
  // CHECK-NEXT: (
  // CHECK-NEXT: "a" = %worker0.a as %a: tensor<4xf32> from <worker:1/cpu:0>,
  // CHECK-NEXT: "x" = %x as %x_0: tensor<4xf32> feed) {
}

// Which result of its op a value is stays known.
// CHECK-LABEL: graph.func @slots
graph.func @slots() {
  %x, %y = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>, #graph.column<"y", fields 1 to 2, scale 1.0, range 0.0 to 1.0>] {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  // CHECK: dist.transfer %worker1.y name "y" slot 1
  // CHECK: "y" = %worker0.y as %y: tensor<4xf32> from <worker:1/cpu:0> slot 1
  graph.output "y" = %y : tensor<4xf32>
}
