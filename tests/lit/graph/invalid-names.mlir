// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// Names become keys of edges, flags and files; one rule holds for all.

graph.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{output: "a/../b" cannot name an output; use letters, digits, '_', '-', '.', '$', and '/' between parts}}
  graph.output "a/../b" = %x : tensor<4xf32>
}
// -----
graph.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{output: "/c" cannot name an output}}
  graph.output "/c" = %x : tensor<4xf32>
}
// -----
graph.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{output: "" cannot name an output}}
  graph.output "" = %x : tensor<4xf32>
}
// -----
// expected-error@+1 {{func: "a b" cannot name a function}}
graph.func @"a b"(%x: tensor<4xf32>) {
}
// -----
graph.func @f() {
  // expected-error@+1 {{input: "d=e" cannot name a data set}}
  %x = graph.input "d=e" at "d.csv" rows 0 to 8
      [#graph.column<"x", fields 0 to 2, scale 1.0, range 0.0 to 1.0>] : tensor<4x2xf32>
}
// -----
graph.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  graph.return %x : tensor<4xf32>
}
graph.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{call: "../first" cannot name a call}}
  %y = graph.call @g(%x) as "../first" : (tensor<4xf32>) -> tensor<4xf32>
}
// -----
// A saved variable is a file of its name.
// expected-error@+1 {{variable: a name of 243 characters is too long for a file; give a variable a shorter one}}
graph.variable @aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa : tensor<4xf32> = #graph.fill<0.0>
