// What is constant is computed, where the bits are known.
// RUN: dtc-opt %s -graph-simplify=only=fold-constants | FileCheck %s
// RUN: dtc-opt %s -graph-simplify=disable=fold-constants | FileCheck %s --check-prefix=OFF

// OFF-LABEL: graph.func @integers
// OFF: graph.add
// CHECK-LABEL: graph.func @integers
graph.func @integers() {
  %a = graph.constant dense<[7, -7]> : tensor<2xi32>
  %b = graph.constant dense<2> : tensor<i32>
  %zero = graph.constant dense<0> : tensor<i32>
  // CHECK: %sum = graph.constant dense<[9, -5]> : tensor<2xi32>
  %sum = graph.add %a, %b : tensor<2xi32>, tensor<i32>
  // CHECK: %quotient = graph.constant dense<[3, -3]> : tensor<2xi32>
  %quotient = graph.div %a, %b : tensor<2xi32>, tensor<i32>
  // CHECK: %none = graph.constant dense<0> : tensor<2xi32>
  %none = graph.div %a, %zero : tensor<2xi32>, tensor<i32>
  // CHECK: %less = graph.constant dense<[false, true]> : tensor<2xi1>
  %less = graph.less %a, %b : tensor<2xi32>, tensor<i32>
  // CHECK: %not = graph.constant dense<[true, false]> : tensor<2xi1>
  %not = graph.logical_not %less : tensor<2xi1>
}

// Bytes are compared without a sign.
// CHECK-LABEL: graph.func @bytes
graph.func @bytes() {
  %a = graph.constant dense<200> : tensor<ui8>
  %b = graph.constant dense<100> : tensor<ui8>
  // CHECK: %larger = graph.constant dense<true> : tensor<i1>
  %larger = graph.greater %a, %b : tensor<ui8>, tensor<ui8>
  // CHECK: %sum = graph.constant dense<44> : tensor<ui8>
  %sum = graph.add %a, %b : tensor<ui8>, tensor<ui8>
}

// CHECK-LABEL: graph.func @floats
graph.func @floats() {
  %a = graph.constant dense<1.0> : tensor<f64>
  %b = graph.constant dense<3.0> : tensor<f64>
  // CHECK: %third = graph.constant dense<0.33333333333333331> : tensor<f64>
  %third = graph.div %a, %b : tensor<f64>, tensor<f64>
  %c = graph.constant dense<1.0> : tensor<bf16>
  %d = graph.constant dense<3.0> : tensor<bf16>
  // CHECK: %narrow = graph.constant dense<3.339840e-01> : tensor<bf16>
  %narrow = graph.div %c, %d : tensor<bf16>, tensor<bf16>
  %zero = graph.constant dense<0.0> : tensor<f64>
  // Processors differ in the bits of not-a-number.
  // CHECK: graph.div
  %nan = graph.div %zero, %zero : tensor<f64>, tensor<f64>
  // CHECK: %same = graph.constant dense<true> : tensor<i1>
  %minus = graph.neg %zero : tensor<f64>
  %same = graph.equal %zero, %minus : tensor<f64>, tensor<f64>
}

// CHECK-LABEL: graph.func @moves
graph.func @moves(%feed: tensor<5x6xf32>) {
  %x = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  // CHECK: %turned = graph.constant dense<{{\[}}[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
  %turned = graph.transpose %x perm [1, 0] : tensor<2x3xi64>
  // CHECK: %part = graph.constant dense<{{\[}}[2, 3], [5, 6]]> : tensor<2x2xi64>
  %part = graph.slice %x begin [0, 1] size [2, 2] : tensor<2x3xi64>
  // CHECK: %line = graph.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi64>
  %line = graph.reshape %x : tensor<2x3xi64> to tensor<6xi64>
  %row = graph.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: %rows = graph.constant dense<{{\[}}[1, 2], [1, 2]]> : tensor<2x2xi64>
  %rows = graph.broadcast_to %row : tensor<2xi64> to tensor<2x2xi64>
  // CHECK: %shape = graph.constant dense<[5, 6]> : tensor<2xi64>
  %shape = graph.shape %feed : tensor<5x6xf32>
}

// Larger constants would only swell the plan.
// CHECK-LABEL: graph.func @large
graph.func @large() {
  %one = graph.constant dense<1> : tensor<i32>
  // CHECK: graph.broadcast_to
  %many = graph.broadcast_to %one : tensor<i32> to tensor<1025xi32>
}
