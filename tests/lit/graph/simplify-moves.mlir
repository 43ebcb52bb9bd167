// Moves that move nothing, or that one move can do.
// RUN: dtc-opt %s -graph-simplify -graph-prune | FileCheck %s
// RUN: dtc-opt %s -graph-simplify=disable=reshapes,transposes,moves,push-transposes -graph-prune | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: graph.func @reshapes
// OFF-LABEL: graph.func @reshapes
graph.func @reshapes(%x: tensor<2x3xf32>) {
  // OFF: graph.reshape
  // OFF: graph.expand_dims
  // OFF: graph.squeeze
  %a = graph.reshape %x : tensor<2x3xf32> to tensor<6xf32>
  %b = graph.expand_dims %a axis 0 : tensor<6xf32>
  // CHECK-NEXT: %b = graph.reshape %x : tensor<2x3xf32> to tensor<1x6xf32>
  // CHECK-NEXT: graph.output "row" = %b
  // CHECK-NEXT: graph.output "same" = %x
  %c = graph.squeeze %b axes [0] : tensor<1x6xf32>
  %d = graph.reshape %c : tensor<6xf32> to tensor<2x3xf32>
  graph.output "row" = %b : tensor<1x6xf32>
  graph.output "same" = %d : tensor<2x3xf32>
}

// CHECK-LABEL: graph.func @transposes
// OFF-LABEL: graph.func @transposes
graph.func @transposes(%x: tensor<2x3x4xf32>) {
  // OFF-COUNT-4: graph.transpose
  %a = graph.transpose %x perm [1, 2, 0] : tensor<2x3x4xf32>
  // CHECK-NEXT: %b = graph.transpose %x perm [2, 0, 1] : tensor<2x3x4xf32>
  %b = graph.transpose %a perm [1, 2, 0] : tensor<3x4x2xf32>
  // CHECK-NEXT: graph.output "twice" = %b
  graph.output "twice" = %b : tensor<4x2x3xf32>
  %c = graph.transpose %b perm [1, 2, 0] : tensor<4x2x3xf32>
  %d = graph.transpose %c perm [0, 1, 2] : tensor<2x3x4xf32>
  // CHECK-NEXT: graph.output "thrice" = %x
  graph.output "thrice" = %d : tensor<2x3x4xf32>
}

// CHECK-LABEL: graph.func @moves(%x: tensor<2x3xf32>)
// OFF-LABEL: graph.func @moves
graph.func @moves(%x: tensor<2x3xf32>) {
  // OFF: graph.slice
  // OFF: graph.strided_slice
  // OFF: graph.pad
  // OFF: graph.tile
  // OFF: graph.concat
  // OFF: graph.broadcast_to
  %a = graph.slice %x begin [0, 0] size [2, 3] : tensor<2x3xf32>
  %b = graph.strided_slice %a begin [0, 0] end [9, 9] strides [1, 1] : tensor<2x3xf32>
  %c = graph.pad %b before [0, 0] after [0, 0] value 0.0 : tensor<2x3xf32>
  %d = graph.tile %c multiples [1, 1] : tensor<2x3xf32>
  %e = graph.concat %d axis 0 : tensor<2x3xf32>
  %f = graph.broadcast_to %e : tensor<2x3xf32> to tensor<2x3xf32>
  // CHECK-NEXT: graph.output "y" = %x
  graph.output "y" = %f : tensor<2x3xf32>
}

// A reversed dimension has the same type.
// CHECK-LABEL: graph.func @reversed
graph.func @reversed(%x: tensor<4xf32>) {
  // CHECK-NEXT: graph.strided_slice
  %y = graph.strided_slice %x begin [3] end [-9] strides [-1] : tensor<4xf32>
  graph.output "y" = %y : tensor<4xf32>
}
