// What neither an output nor an assignment needs goes, in one pass over any
// chain; variables stay, for they are what a run saves.
// RUN: dtc-opt %s -graph-prune | FileCheck %s

// CHECK: graph.variable @unused
graph.variable @unused : tensor<f32> = #graph.fill<0.0>
graph.variable @w : tensor<f32> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @f
graph.func @f(%x: tensor<f32>) {
  // CHECK-NEXT: %kept = graph.exp
  %kept = graph.exp %x : tensor<f32>
  %dead = graph.read @unused : tensor<f32>
  %deader = graph.exp %dead : tensor<f32>
  %deadest = graph.mul %deader, %x : tensor<f32>, tensor<f32>
  // CHECK-NEXT: %new = graph.neg
  %new = graph.neg %x : tensor<f32>
  // CHECK-NEXT: graph.assign @w, %new
  graph.assign @w, %new : tensor<f32>
  // CHECK-NEXT: graph.output "y" = %kept
  graph.output "y" = %kept : tensor<f32>
  // CHECK-NEXT: }
}
