// What a tensor is, and which tensors each op takes.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{func: feed 0 must be a tensor of a static shape, got 'tensor<?x3xf32>'; write numbers for its dimensions}}
graph.func @f(%a: tensor<?x3xf32>) {
  %0 = graph.constant dense<0.0> : tensor<f32>
}

// -----
// expected-error@+1 {{func: feed 0 has more than 2^40 elements, got 'tensor<9x2000000000000xf32>'}}
graph.func @f(%a: tensor<9x2000000000000xf32>) {
  %0 = graph.constant dense<0.0> : tensor<f32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{constant: expected a tensor with a static shape and elements of f32, f64, f16, bf16, i1, i8, ui8, i32 or i64}}
  %0 = graph.constant dense<1> : tensor<2xi16>
}

// -----
graph.func @f(%a: tensor<4xi32>) {
  // expected-error@+1 {{op operand #0 must be tensor of f32, f64, f16 or bf16 (static shape, at most 2^40 elements), but got 'tensor<4xi32>'}}
  %0 = graph.exp %a : tensor<4xi32>
}

// -----
graph.func @f(%a: tensor<4xui8>) {
  // expected-error@+1 {{op operand #0 must be tensor of f32, f64, f16, bf16, i8, i32 or i64}}
  %0 = graph.neg %a : tensor<4xui8>
}

// -----
graph.func @f(%a: tensor<4xi1>) {
  // expected-error@+1 {{op operand #0 must be tensor of f32, f64, f16, bf16, i8, ui8, i32 or i64}}
  %0 = graph.add %a, %a : tensor<4xi1>, tensor<4xi1>
}

// -----
graph.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{op operand #0 must be tensor of i8, ui8, i32 or i64}}
  %0 = graph.one_hot %a depth 3 as f32 : tensor<4xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{cast: keeps the shape, but 'tensor<2x3xf32>' becomes 'tensor<6xf64>'; graph.reshape changes it}}
  %0 = graph.cast %a : tensor<2x3xf32> to tensor<6xf64>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{reshape: keeps the elements, but 'tensor<2x3xf32>' has 6 and 'tensor<5xf32>' has 5}}
  %0 = graph.reshape %a : tensor<2x3xf32> to tensor<5xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{reshape: keeps the element type, but 'tensor<2x3xf32>' becomes 'tensor<6xf64>'; graph.cast changes it}}
  %0 = graph.reshape %a : tensor<2x3xf32> to tensor<6xf64>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{broadcast_to: 'tensor<2x3xf32>' does not broadcast to 'tensor<1x3xf32>'; dimensions, aligned at the last, must be equal or 1 on the left}}
  %0 = graph.broadcast_to %a : tensor<2x3xf32> to tensor<1x3xf32>
}

// -----
graph.func @f(%a: tensor<f32>) {
  // expected-error@+1 {{softmax: needs a last dimension to sum over, got 'tensor<f32>'}}
  %0 = graph.softmax %a : tensor<f32>
}

// -----
graph.func @f(%a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-note@-1 {{prior use here}}
  // expected-error@+1 {{expects different type than prior uses: 'tensor<4xf32>' vs 'tensor<3xf32>'}}
  %0 = graph.relu_grad %a, %b : tensor<4xf32>
}
