// An error of shapes says which op or word would mend it.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// expected-note@+1 {{is made here}}
graph.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{matmul: inner dimensions differ, 3 and 4; write transpose_b behind it}}
  %0 = graph.matmul %a, %b : tensor<2x3xf32>, tensor<4x3xf32>
}

// -----
// expected-note@+1 {{is made here}}
graph.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{matmul: inner dimensions differ, 3 and 4; leave transpose_b out}}
  %0 = graph.matmul %a, %b transpose_b : tensor<2x3xf32>, tensor<3x4xf32>
}

// -----
graph.func @f(%a: tensor<f32>) { // expected-note {{is made here}}
  // expected-error@+1 {{reduce_sum: there is nothing to reduce in a scalar; leave the op out}}
  %0 = graph.reduce_sum %a axes [] : tensor<f32>
}
