// A value crosses to a device and activation once, however many take it there.
// RUN: dtc-opt %s -dist-merge-transfers | FileCheck %s

// CHECK-LABEL: graph.func @merge
graph.func @merge() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // CHECK: %b0.x = dist.transfer %a0.x name "x" slot 0 into step reason "first"
  %1 = dist.transfer %a0.x name "x" slot 0 into step reason "first" : !dist.placed<tensor<f32>, a:0/cpu:0> to !dist.placed<tensor<f32>, b:0/cpu:0>
  // CHECK-NOT: "second"
  %2 = dist.transfer %a0.x name "x" slot 0 into step reason "second" : !dist.placed<tensor<f32>, a:0/cpu:0> to !dist.placed<tensor<f32>, b:0/cpu:0>
  // Another activation, and another task, are other places.
  // CHECK: dist.transfer %a0.x name "x" slot 0 into apply reason "third"
  %3 = dist.transfer %a0.x name "x" slot 0 into apply reason "third" : !dist.placed<tensor<f32>, a:0/cpu:0> to !dist.placed<tensor<f32>, b:0/cpu:0>
  // CHECK: dist.transfer %a0.x name "x" slot 0 into step reason "fourth"
  %4 = dist.transfer %a0.x name "x" slot 0 into step reason "fourth" : !dist.placed<tensor<f32>, a:0/cpu:0> to !dist.placed<tensor<f32>, b:1/cpu:0>
  // CHECK-COUNT-2: ("x" = %b0.x as
  dist.partition on <b:0/cpu:0> step ("x" = %1 as %x: tensor<f32> from <a:0/cpu:0>) { dist.yield }
  dist.partition on <b:0/cpu:0> step ("x" = %2 as %x: tensor<f32> from <a:0/cpu:0>) { dist.yield }
}
