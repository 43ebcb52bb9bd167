// A transfer becomes the two ends of an edge, side by side; the key names value,
// slot and tasks, and is unique.
// RUN: dtc-opt %s -dist-split-transfers | FileCheck %s

// CHECK-LABEL: graph.func @split
graph.func @split() {
  %a0.x = dist.partition on <a:0/cpu:0> serve -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // CHECK: dist.send %a0.x key "x:1 a:0->b:*" to <b:*/cpu:0> reason "why" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // CHECK-NEXT: %b.x = dist.recv key "x:1 a:0->b:*" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:*/cpu:0>
  %1 = dist.transfer %a0.x name "x" slot 1 into step reason "why" : !dist.placed<tensor<f32>, a:0/cpu:0> to !dist.placed<tensor<f32>, b:*/cpu:0>
  // CHECK-NEXT: dist.send %a0.x key "x:1 a:0->b:* #2"
  // CHECK-NEXT: dist.recv key "x:1 a:0->b:* #2"
  %2 = dist.transfer %a0.x name "x" slot 1 into apply reason "why" : !dist.placed<tensor<f32>, a:0/cpu:0> to !dist.placed<tensor<f32>, b:*/cpu:0>
  // CHECK-NEXT: dist.partition on <b:*/cpu:0> step
  // CHECK-NEXT: ("x" = %b.x as %x: tensor<f32> from <a:0/cpu:0> slot 1)
  dist.partition on <b:*/cpu:0> step ("x" = %1 as %x: tensor<f32> from <a:0/cpu:0> slot 1) { dist.yield }
}
