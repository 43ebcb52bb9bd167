// What is computed twice is computed once.
// RUN: dtc-opt %s -graph-cse | FileCheck %s

// Gradients that meet in two places are summed once.
// CHECK-LABEL: graph.func @sums
graph.func @sums(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // CHECK-NEXT: %s = graph.add %a, %b
  // CHECK-NEXT: %u = graph.mul %s, %s
  %s = graph.add %a, %b : tensor<2xf32>, tensor<2xf32>
  %t = graph.add %b, %a : tensor<2xf32>, tensor<2xf32>
  %u = graph.mul %s, %t : tensor<2xf32>, tensor<2xf32>
  graph.output "y" = %u : tensor<2xf32>
}

// A difference has an order, a maximum the sign of a zero, an op its device.
// CHECK-LABEL: graph.func @differ
graph.func @differ(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // CHECK-COUNT-2: graph.sub
  // CHECK-COUNT-2: graph.maximum
  // CHECK-COUNT-2: graph.neg
  // CHECK-COUNT-2: graph.leaky_relu
  %c = graph.sub %a, %b : tensor<2xf32>, tensor<2xf32>
  %d = graph.sub %b, %a : tensor<2xf32>, tensor<2xf32>
  %e = graph.maximum %a, %b : tensor<2xf32>, tensor<2xf32>
  %f = graph.maximum %b, %a : tensor<2xf32>, tensor<2xf32>
  %g = graph.neg %a {device = "/job:worker/task:0"} : tensor<2xf32>
  %h = graph.neg %a {device = "/job:worker/task:1"} : tensor<2xf32>
  %i = graph.leaky_relu %a alpha 0.1 : tensor<2xf32>
  %j = graph.leaky_relu %a alpha 0.2 : tensor<2xf32>
}
