// Products, normalisations and losses say what does not fit.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<3xf32>, // expected-note {{is made here}}
              %b: tensor<3x2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{batch_matmul: operands must have at least two dimensions, got 3 and 3x2; graph.expand_dims adds one}}
  %0 = graph.batch_matmul %a, %b : tensor<3xf32>, tensor<3x2xf32>
}

// -----
graph.func @f(%a: tensor<2x4x3xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{batch_matmul: the dimensions before the last two do not broadcast, 2x4x3 and 3x3x2; give equal ones, or 1 on one side}}
  %0 = graph.batch_matmul %a, %b : tensor<2x4x3xf32>, tensor<3x3x2xf32>
}

// -----
graph.func @f(%a: tensor<2x4x3xf32>, // expected-note {{is made here}}
              %b: tensor<5x2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{batch_matmul: inner dimensions differ, 3 and 5}}
  %0 = graph.batch_matmul %a, %b : tensor<2x4x3xf32>, tensor<5x2xf32>
}

// -----
graph.func @f(%a: tensor<2x4x3xf32>, // expected-note {{is made here}}
              %b: tensor<3x2xf64>) { // expected-note {{is made here}}
  // expected-error@+1 {{batch_matmul: element types differ, f32 and f64; graph.cast converts}}
  %0 = graph.batch_matmul %a, %b : tensor<2x4x3xf32>, tensor<3x2xf64>
}

// -----
graph.func @f(%a: tensor<4x3xf32>, // expected-note {{is made here}}
              %b: tensor<4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{bias_add: the bias must be a vector as long as the last dimension, got 4x3 and 4}}
  %0 = graph.bias_add %a, %b : tensor<4x3xf32>, tensor<4xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>, // expected-note {{is made here}}
              %b: tensor<3xf32>, // expected-note {{is made here}}
              %c: tensor<4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{batch_norm: scale, offset and statistics are vectors as long as the last dimension, got 4x3 and 4}}
  %0 = graph.batch_norm %a, %b, %c epsilon 0.1 : tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>
}

// -----
graph.func @f(%a: tensor<f32>, // expected-note {{is made here}}
              %b: tensor<3xf32>, // expected-note {{is made here}}
              %c: tensor<3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{layer_norm: needs a last dimension, got a scalar}}
  %0 = graph.layer_norm %a, %b, %c epsilon 0.1 : tensor<f32>, tensor<3xf32>, tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>, // expected-note {{is made here}}
              %b: tensor<4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{dense_softmax_cross_entropy: logits and labels have one shape [..., classes], got 4x3 and 4}}
  %0 = graph.dense_softmax_cross_entropy %a, %b : tensor<4x3xf32>, tensor<4xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>, // expected-note {{is made here}}
              %b: tensor<5xi32>) { // expected-note {{is made here}}
  // expected-error@+1 {{softmax_cross_entropy: batches differ, 4 logits and 5 labels}}
  %0 = graph.softmax_cross_entropy %a, %b : tensor<4x3xf32>, tensor<5xi32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>, // expected-note {{is made here}}
              %b: tensor<4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{sigmoid_cross_entropy: shapes 4x3 and 4 do not broadcast}}
  %0 = graph.sigmoid_cross_entropy %a, %b : tensor<4x3xf32>, tensor<4xf32>
}

// -----
graph.func @f(%a: tensor<f32>) {
  // expected-error@+1 {{softmax: needs a last dimension to sum over}}
  %0 = graph.softmax %a : tensor<f32>
}

// -----
graph.func @f(%a: tensor<f32>) {
  // expected-error@+1 {{log_softmax: needs a last dimension to sum over}}
  %0 = graph.log_softmax %a : tensor<f32>
}
