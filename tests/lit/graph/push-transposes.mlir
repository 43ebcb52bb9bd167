// Transposes that undo each other meet across element-wise ops.
// RUN: dtc-opt %s -graph-simplify -graph-prune | FileCheck %s
// RUN: dtc-opt %s -graph-simplify=disable=push-transposes -graph-prune | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: graph.func @meet
// OFF-LABEL: graph.func @meet
graph.func @meet(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %scale: tensor<f32>) {
  // OFF: graph.transpose
  // CHECK-NEXT: %c = graph.relu %x : tensor<2x3xf32>
  // CHECK-NEXT: %d = graph.mul %c, %scale : tensor<2x3xf32>, tensor<f32>
  // CHECK-NEXT: %f = graph.add %d, %y : tensor<2x3xf32>, tensor<2x3xf32>
  // CHECK-NEXT: graph.output "y" = %f
  %a = graph.transpose %x perm [1, 0] : tensor<2x3xf32>
  %b = graph.transpose %y perm [1, 0] : tensor<2x3xf32>
  %c = graph.relu %a : tensor<3x2xf32>
  %d = graph.mul %c, %scale : tensor<3x2xf32>, tensor<f32>
  %e = graph.add %d, %b : tensor<3x2xf32>, tensor<3x2xf32>
  %f = graph.transpose %e perm [1, 0] : tensor<3x2xf32>
  graph.output "y" = %f : tensor<2x3xf32>
}

// Another reader wants the transposed value; a vector would have to move; and
// these two do not undo each other.
// CHECK-LABEL: graph.func @stay
graph.func @stay(%x: tensor<2x3xf32>, %row: tensor<2xf32>, %z: tensor<2x2x2xf32>) {
  // CHECK-COUNT-6: graph.transpose
  %a = graph.transpose %x perm [1, 0] : tensor<2x3xf32>
  %b = graph.relu %a : tensor<3x2xf32>
  %c = graph.transpose %b perm [1, 0] : tensor<3x2xf32>
  graph.output "b" = %b : tensor<3x2xf32>
  graph.output "c" = %c : tensor<2x3xf32>
  %d = graph.transpose %x perm [1, 0] : tensor<2x3xf32>
  %e = graph.mul %d, %row : tensor<3x2xf32>, tensor<2xf32>
  %f = graph.transpose %e perm [1, 0] : tensor<3x2xf32>
  graph.output "f" = %f : tensor<2x3xf32>
  %g = graph.transpose %z perm [1, 2, 0] : tensor<2x2x2xf32>
  %h = graph.exp %g : tensor<2x2x2xf32>
  %i = graph.transpose %h perm [1, 2, 0] : tensor<2x2x2xf32>
  graph.output "i" = %i : tensor<2x2x2xf32>
}
