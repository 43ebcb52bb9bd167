// The door to placement: training is expanded and every value has its name.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -graph-verify-closed

graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: is not expanded; run graph-expand-training first}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{'builtin.module' is no op of the graph dialect}}
  builtin.module {}
}

// -----
// expected-error@+1 {{'graph.constant' cannot stand in a module; variables and functions can, other ops stand in functions}}
%0 = graph.constant dense<1.0> : tensor<f32>
