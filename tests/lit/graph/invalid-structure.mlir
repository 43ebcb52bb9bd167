// Entry points, data sets, outputs and optimizers.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{func: an entry point returns nothing; graph.output names what a step returns}}
graph.func @f() -> tensor<f32> {
  %0 = graph.constant dense<0.0> : tensor<f32>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-note@+1 {{first here}}
  graph.output "loss" = %x : tensor<f32>
  // expected-error@+1 {{output: "loss" names two outputs; give each its own name}}
  graph.output "loss" = %x : tensor<f32>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{output: "a=b" cannot name an output; use letters, digits, '_', '-', '.', '$', and '/' between parts}}
  graph.output "a=b" = %x : tensor<f32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: 1 columns, but 2 results; each column makes one}}
  %a, %b = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>, tensor<4xf32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: rows 9 to 9 are none; `rows A to B` means A <= row < B}}
  %a = graph.input "s" rows 9 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: a batch of 4 needs more than the 3 rows given}}
  %a = graph.input "s" rows 6 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: two columns are named "a"}}
  %a, %b = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>, #graph.column<"a", fields 1 to 2, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>, tensor<4xf32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: column "b": every column has the batch as its first dimension, 4, got 'tensor<5xf32>'}}
  %a, %b = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>, #graph.column<"b", fields 1 to 2, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>, tensor<5xf32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: column "a": 3 fields cannot make 2 elements a row of 'tensor<4x2xf32>'}}
  %a = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 3, scale 1.0, range 0.0 to 1.0>] : tensor<4x2xf32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: column "a": integers are not scaled; make it a float column, or scale 1.0}}
  %a = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 1, scale 0.5, range 0.0 to 1.0>] : tensor<4xi64>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: column "a": fields are numbers; compare with graph.equal to make i1}}
  %a = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xi1>
}

// -----
// expected-error@+1 {{column: a column needs a name}}
module attributes {c = #graph.column<"", fields 0 to 1, scale 1.0, range 0.0 to 1.0>} {}

// -----
// expected-error@+1 {{column "a": fields 1 to 1 are none; `fields A to B` means A <= field < B}}
module attributes {c = #graph.column<"a", fields 1 to 1, scale 1.0, range 0.0 to 1.0>} {}

// -----
// expected-error@+1 {{column "a": the range's ends are swapped}}
module attributes {c = #graph.column<"a", fields 0 to 1, scale 1.0, range 2.0 to 1.0>} {}
