// Calls become the ops of the private functions that they call.
// RUN: dtc-opt %s -graph-inline | FileCheck %s
// RUN: dtc-opt %s | dtc-opt | FileCheck %s --check-prefix=TEXT
module @blocks {
  graph.variable @w : tensor<4x4xf32> = #graph.glorot_uniform

  // TEXT: graph.func private @dense(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // TEXT: graph.return %y : tensor<2x4xf32>
  // CHECK-NOT: private
  graph.func private @dense(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %w = graph.read @w : tensor<4x4xf32>
    %m = graph.matmul %x, %w : tensor<2x4xf32>, tensor<4x4xf32>
    %y = graph.relu %m : tensor<2x4xf32>
    graph.return %y : tensor<2x4xf32>
  }

  // Calls nest, whatever the order of the functions.
  graph.func private @two(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
    %a = graph.call @dense(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %b = graph.call @last(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    graph.return %b, %x : tensor<2x4xf32>, tensor<2x4xf32>
  }
  graph.func private @last(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %n = graph.neg %x : tensor<2x4xf32>
    graph.return %n : tensor<2x4xf32>
  }

  // A value is named below the call's result; what is returned is that result.
  // CHECK-LABEL: graph.func @predict(%x: tensor<2x4xf32>)
  graph.func @predict(%x: tensor<2x4xf32>) {
    // CHECK-NEXT: %h.w = graph.read @w
    // CHECK-NEXT: %h.m = graph.matmul %x, %h.w
    // CHECK-NEXT: %h = graph.relu %h.m
    %h = graph.call @dense(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    // CHECK-NEXT: %top.a.w = graph.read @w
    // CHECK-NEXT: %top.a.m = graph.matmul %h, %top.a.w
    // CHECK-NEXT: %top.a = graph.relu %top.a.m
    // CHECK-NEXT: %p = graph.neg %top.a
    // TEXT: %p, %q = graph.call @two(%h) as "top" :
    %p, %q = graph.call @two(%h) as "top" : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    // An argument that is returned is the operand itself.
    // CHECK-NEXT: graph.add %p, %h
    %s = graph.add %p, %q : tensor<2x4xf32>, tensor<2x4xf32>
    graph.output "y" = %s : tensor<2x4xf32>
  }

  // The call's device is that of its ops.
  // CHECK-LABEL: graph.func @devices
  graph.func @devices(%x: tensor<2x4xf32>) {
    // CHECK-NEXT: %y = graph.neg %x {device = "/job:worker/task:1"}
    %y = graph.call @last(%x) {device = "/job:worker/task:1"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    graph.output "y" = %y : tensor<2x4xf32>
  }
}
