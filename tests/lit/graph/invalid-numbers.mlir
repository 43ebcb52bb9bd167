// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// Numbers that an op or a variable cannot use are refused before it runs.

graph.func @delta() {
  // expected-error@+1 {{range: delta must be a finite number, got }}
  %y = graph.range from 0.0 by 0x7FF8000000000000 : tensor<8xf32>
}
// -----
graph.func @start() {
  // expected-error@+1 {{range: start must be a finite number, got }}
  %y = graph.range from 0xFFF0000000000000 by 1.0 : tensor<8xf32>
}
// -----
graph.func @last() {
  // expected-error@+1 {{range: the last element, 1.280000e+02, is beyond what 'i8' holds}}
  %y = graph.range from 0.0 by 1.0 : tensor<129xi8>
}
// -----
graph.func @epsilon(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{layer_norm: epsilon must be a finite number above 0, got -1.000000e+00; write epsilon 1.0e-5}}
  %y = graph.layer_norm %x, %s, %s epsilon -1.0 : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
graph.func @epsilon(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{batch_norm: epsilon must be a finite number above 0, got 0.000000e+00}}
  %y:4 = graph.batch_norm %x, %s, %s epsilon 0.0 : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
graph.func @epsilon(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{batch_norm_inference: epsilon must be a finite number above 0, got }}
  %y = graph.batch_norm_inference %x, %s, %s, %s, %s epsilon 1.0e39
      : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
graph.func @alpha(%x: tensor<4xf32>) {
  // expected-error@+1 {{leaky_relu: alpha must be a finite number, got }}
  %y = graph.leaky_relu %x alpha 0x7FF8000000000000 : tensor<4xf32>
}
// -----
graph.func @alpha(%x: tensor<4xf16>) {
  // expected-error@+1 {{leaky_relu: alpha, 1.000000e+05, is beyond what 'f16' holds}}
  %y = graph.leaky_relu %x alpha 1.0e5 : tensor<4xf16>
}
// -----
graph.func @pad(%x: tensor<4xi8>) {
  // expected-error@+1 {{pad: value 3.000000e+02 is not a value of 'i8'}}
  %y = graph.pad %x before [1] after [0] value 300.0 : tensor<4xi8>
}
// -----
graph.func @pad(%x: tensor<4xi1>) {
  // expected-error@+1 {{pad: value 2.000000e+00 is not a value of 'i1'}}
  %y = graph.pad %x before [1] after [0] value 2.0 : tensor<4xi1>
}
// -----
graph.func @pad(%x: tensor<4xi32>) {
  // expected-error@+1 {{pad: value 5.000000e-01 is not a value of 'i32'}}
  %y = graph.pad %x before [1] after [0] value 0.5 : tensor<4xi32>
}
// -----
// expected-error@+1 {{piecewise_constant: at a batch of 128, boundaries 1 and 2 are both step 0; give boundaries in examples, or leave batch out}}
module attributes {s = #graph.piecewise_constant<boundaries = [1, 2], values = [1.0, 2.0, 3.0], batch = 128>} {}
// -----
// expected-error@+1 {{piecewise_constant: batch must be above 0, got 0}}
module attributes {s = #graph.piecewise_constant<boundaries = [1, 2], values = [1.0, 2.0, 3.0], batch = 0>} {}
// -----
// What can be meant: minus infinity around a maximum, and what rounds to the largest.
graph.func @right(%x: tensor<4xf32>) {
  %y = graph.pad %x before [1] after [0] value 0xFFF0000000000000 : tensor<4xf32>
  %z = graph.range from 127.0 by 0.25 : tensor<4xi8>
  graph.output "y" = %y : tensor<5xf32>
}
