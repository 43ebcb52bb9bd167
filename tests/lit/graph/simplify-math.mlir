// Algebra that keeps bits.
// RUN: dtc-opt %s -graph-simplify=disable=fold-constants -graph-prune | FileCheck %s
// RUN: dtc-opt %s -graph-simplify=disable=fold-constants,identities,powers,divisions,casts -graph-prune | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: graph.func @identities(%x: tensor<2xf32>)
// OFF-LABEL: graph.func @identities
graph.func @identities(%x: tensor<2xf32>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %minus = graph.constant dense<-0.0> : tensor<2xf32>
  // OFF: graph.mul
  // OFF: graph.mul
  // OFF: graph.div
  // OFF: graph.sub
  // OFF: graph.add
  // OFF: graph.neg
  // OFF: graph.neg
  %a = graph.mul %x, %one : tensor<2xf32>, tensor<f32>
  %b = graph.mul %one, %a : tensor<f32>, tensor<2xf32>
  %c = graph.div %b, %one : tensor<2xf32>, tensor<f32>
  %d = graph.sub %c, %zero : tensor<2xf32>, tensor<f32>
  %e = graph.add %d, %minus : tensor<2xf32>, tensor<2xf32>
  %f = graph.neg %e : tensor<2xf32>
  %g = graph.neg %f : tensor<2xf32>
  // CHECK: graph.output "y" = %x
  graph.output "y" = %g : tensor<2xf32>
}

// -0 + 0 is +0; and what broadcasts stays.
// CHECK-LABEL: graph.func @kept
graph.func @kept(%x: tensor<f32>) {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %ones = graph.constant dense<1.0> : tensor<2xf32>
  // CHECK: graph.add %x, %zero
  %a = graph.add %x, %zero : tensor<f32>, tensor<f32>
  // CHECK: graph.mul %a, %ones
  %b = graph.mul %a, %ones : tensor<f32>, tensor<2xf32>
  graph.output "y" = %b : tensor<2xf32>
}

// CHECK-LABEL: graph.func @integers(%x: tensor<i32>)
graph.func @integers(%x: tensor<i32>) {
  %zero = graph.constant dense<0> : tensor<i32>
  %a = graph.add %zero, %x : tensor<i32>, tensor<i32>
  // CHECK: graph.output "y" = %x
  graph.output "y" = %a : tensor<i32>
}

// CHECK-LABEL: graph.func @powers
// OFF-LABEL: graph.func @powers
graph.variable @w : tensor<2xf32> = #graph.fill<0.5>
graph.func @powers(%x: tensor<2xf32>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  // OFF-COUNT-3: graph.pow
  %a = graph.pow %x, %one : tensor<2xf32>, tensor<f32>
  // What takes an op's place belongs where that was.
  // CHECK: %b = graph.square %x {device = "/job:ps/task:0", graph.update = @w}
  %b = graph.pow %a, %two {device = "/job:ps/task:0", graph.update = @w} : tensor<2xf32>, tensor<f32>
  // CHECK: graph.pow %b, %half
  %c = graph.pow %b, %half : tensor<2xf32>, tensor<f32>
  graph.output "y" = %c : tensor<2xf32>
}

// CHECK-LABEL: graph.func @divisions
// OFF-LABEL: graph.func @divisions
graph.func @divisions(%x: tensor<2xf32>) {
  %four = graph.constant dense<4.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<f32>
  // CHECK: [[QUARTER:%.*]] = graph.constant dense<2.500000e-01>
  // CHECK: %a = graph.mul %x, [[QUARTER]]
  // OFF-COUNT-2: graph.div
  %a = graph.div %x, %four : tensor<2xf32>, tensor<f32>
  // CHECK: graph.div %a, %three
  %b = graph.div %a, %three : tensor<2xf32>, tensor<f32>
  graph.output "y" = %b : tensor<2xf32>
}

// CHECK-LABEL: graph.func @casts(%x: tensor<2xi32>)
// OFF-LABEL: graph.func @casts
graph.func @casts(%x: tensor<2xi32>) {
  // OFF-COUNT-4: graph.cast
  %a = graph.cast %x : tensor<2xi32> to tensor<2xf64>
  %b = graph.cast %a : tensor<2xf64> to tensor<2xi32>
  // CHECK-NEXT: graph.cast
  // CHECK-NEXT: %d = graph.cast
  // CHECK-NEXT: graph.output "exact" = %x
  %c = graph.cast %x : tensor<2xi32> to tensor<2xf32>
  %d = graph.cast %c : tensor<2xf32> to tensor<2xi32>
  graph.output "exact" = %b : tensor<2xi32>
  graph.output "rounded" = %d : tensor<2xi32>
}
