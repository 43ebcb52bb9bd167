// Folding keeps bits: it does what the kernel would have done, or nothing.
// RUN: dtc-opt %s -canonicalize | FileCheck %s

// Arithmetic on f32 constants rounds as it would at run time.
// CHECK-LABEL: graph.func @arithmetic
graph.func @arithmetic() {
  %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = graph.constant dense<3.0> : tensor<f32>
  %add = graph.add %a, %b : tensor<2xf32>, tensor<f32>
  %sub = graph.sub %a, %b : tensor<2xf32>, tensor<f32>
  %mul = graph.mul %a, %b : tensor<2xf32>, tensor<f32>
  %div = graph.div %a, %b : tensor<2xf32>, tensor<f32>
  %neg = graph.neg %a : tensor<2xf32>
  // CHECK-DAG: %add = graph.constant dense<[4.000000e+00, 5.000000e+00]>
  // CHECK-DAG: %sub = graph.constant dense<[-2.000000e+00, -1.000000e+00]>
  // CHECK-DAG: %mul = graph.constant dense<[3.000000e+00, 6.000000e+00]>
  // CHECK-DAG: %div = graph.constant dense<[0.333333343, 0.666666686]>
  // CHECK-DAG: %neg = graph.constant dense<[-1.000000e+00, -2.000000e+00]>
  graph.output "add" = %add : tensor<2xf32>
  graph.output "sub" = %sub : tensor<2xf32>
  graph.output "mul" = %mul : tensor<2xf32>
  graph.output "div" = %div : tensor<2xf32>
  graph.output "neg" = %neg : tensor<2xf32>
}

// Processors differ in the bits of not-a-number.
// CHECK-LABEL: graph.func @nan
graph.func @nan() {
  %zero = graph.constant dense<0.0> : tensor<f32>
  // CHECK: graph.div
  %nan = graph.div %zero, %zero : tensor<f32>, tensor<f32>
  graph.output "y" = %nan : tensor<f32>
}

// Other element types are left to the kernels.
// CHECK-LABEL: graph.func @f64
graph.func @f64() {
  %one = graph.constant dense<1.0> : tensor<f64>
  // CHECK: graph.add
  %two = graph.add %one, %one : tensor<f64>, tensor<f64>
  graph.output "y" = %two : tensor<f64>
}

// What does not change its operand goes away.
// CHECK-LABEL: graph.func @identity(%x: tensor<2x3xf32>)
graph.func @identity(%x: tensor<2x3xf32>) {
  %a = graph.reshape %x : tensor<2x3xf32> to tensor<2x3xf32>
  %b = graph.cast %a : tensor<2x3xf32> to tensor<2x3xf32>
  %c = graph.broadcast_to %b : tensor<2x3xf32> to tensor<2x3xf32>
  %d = graph.neg %c : tensor<2x3xf32>
  %e = graph.neg %d : tensor<2x3xf32>
  // CHECK-NEXT: graph.output "y" = %x
  graph.output "y" = %e : tensor<2x3xf32>
}

// CHECK-LABEL: graph.func @reshapes
graph.func @reshapes(%x: tensor<2x3xf32>) {
  %a = graph.reshape %x : tensor<2x3xf32> to tensor<6xf32>
  // CHECK-NEXT: %b = graph.reshape %x : tensor<2x3xf32> to tensor<3x2xf32>
  %b = graph.reshape %a : tensor<6xf32> to tensor<3x2xf32>
  graph.output "y" = %b : tensor<3x2xf32>
}

// CHECK-LABEL: graph.func @constants
graph.func @constants() {
  %one = graph.constant dense<1.0> : tensor<f32>
  %row = graph.reshape %one : tensor<f32> to tensor<1xf32>
  // CHECK-NEXT: %many = graph.constant dense<1.000000e+00> : tensor<7xf32>
  %many = graph.broadcast_to %row : tensor<1xf32> to tensor<7xf32>
  // CHECK-NEXT: graph.output
  graph.output "y" = %many : tensor<7xf32>
}
