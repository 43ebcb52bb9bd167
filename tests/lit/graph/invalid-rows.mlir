// What made tensors, gradients of moves, and ops on rows refuse.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{fill: repeats a scalar, got 'tensor<2xf32>'; graph.broadcast_to repeats other shapes}}
  %0 = graph.fill %a : tensor<2xf32> to tensor<4x2xf32>
}

// -----
graph.func @f(%a: tensor<f32>) {
  // expected-error@+1 {{fill: keeps the element type, but 'tensor<f32>' becomes 'tensor<4xf64>'; graph.cast changes it}}
  %0 = graph.fill %a : tensor<f32> to tensor<4xf64>
}

// -----
graph.func @f() {
  // expected-error@+1 {{range: makes a vector, not 'tensor<2x2xf32>'}}
  %0 = graph.range from 0.0 by 1.0 : tensor<2x2xf32>
}

// -----
graph.func @f(%a: tensor<3xf32>) {
  // expected-error@+1 {{broadcast_to: keeps the element type, but 'tensor<3xf32>' becomes 'tensor<2x3xf64>'; graph.cast changes it}}
  %0 = graph.broadcast_to %a : tensor<3xf32> to tensor<2x3xf64>
}

// -----
graph.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{strided_slice_grad: end has 2 numbers for 1 dimensions}}
  %0 = graph.strided_slice_grad %a begin [0] end [8, 8] strides [2] : tensor<4xf32> to tensor<8xf32>
}

// -----
graph.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{strided_slice_grad: a stride must not be 0}}
  %0 = graph.strided_slice_grad %a begin [0] end [8] strides [0] : tensor<4xf32> to tensor<8xf32>
}

// -----
graph.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{strided_slice_grad: of 'tensor<8xf32>' takes a gradient of shape 3, got 'tensor<4xf32>'}}
  %0 = graph.strided_slice_grad %a begin [0] end [8] strides [3] : tensor<4xf32> to tensor<8xf32>
}

// -----
graph.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{strided_slice_grad: keeps the element type, but 'tensor<4xf32>' becomes 'tensor<8xf64>'; graph.cast changes it}}
  %0 = graph.strided_slice_grad %a begin [0] end [8] strides [2] : tensor<4xf32> to tensor<8xf64>
}

// -----
graph.func @f(%a: tensor<5xf32>) {
  // expected-error@+1 {{mirror_pad_grad: after has 0 numbers for 1 dimensions}}
  %0 = graph.mirror_pad_grad %a before [2] after [] : tensor<5xf32> to tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<7xf32>) {
  // expected-error@+1 {{mirror_pad_grad: reflect adds from 0 to 2 elements to a dimension of 3, got 3 and 1}}
  %0 = graph.mirror_pad_grad %a before [3] after [1] : tensor<7xf32> to tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<5xf32>) {
  // expected-error@+1 {{mirror_pad_grad: of 'tensor<3xf32>' takes a gradient of shape 6, got 'tensor<5xf32>'}}
  %0 = graph.mirror_pad_grad %a before [2] after [1] : tensor<5xf32> to tensor<3xf32>
}

// -----
graph.func @f(%i: tensor<4xi64>, // expected-note {{is made here}}
              %a: tensor<3x2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{unique_rows: indices are a vector with one index for each row, got 4 and 3x2}}
  %0:2 = graph.unique_rows %i, %a : tensor<4xi64>, tensor<3x2xf32>
}

// -----
graph.func @f(%i: tensor<i64>, %a: tensor<f32>) {
  // expected-error@+1 {{indexed_slices: needs a table with rows, got a scalar}}
  %0 = graph.indexed_slices %i, %a : tensor<i64>, tensor<f32> to tensor<f32>
}

// -----
graph.func @f(%i: tensor<4xi64>, %a: tensor<4x2xf32>) {
  // expected-error@+1 {{indexed_slices: indices of 'tensor<4xi64>' into 'tensor<9x3xf32>' need rows of shape 4x3, got 'tensor<4x2xf32>'}}
  %0 = graph.indexed_slices %i, %a : tensor<4xi64>, tensor<4x2xf32> to tensor<9x3xf32>
}

// -----
graph.func @f(%x: tensor<9xi32>, %i: tensor<4xi64>, %a: tensor<4xf32>) {
  // expected-error@+1 {{scatter_add: keeps the element type, but 'tensor<4xf32>' becomes 'tensor<9xi32>'; graph.cast changes it}}
  %0 = graph.scatter_add %x, %i, %a : tensor<9xi32>, tensor<4xi64>, tensor<4xf32>
}

// -----
graph.func @f(%x: tensor<9xf32>, %i: tensor<4xi64>, %a: tensor<3xf32>) {
  // expected-error@+1 {{scatter_update: indices of 'tensor<4xi64>' into 'tensor<9xf32>' need rows of shape 4, got 'tensor<3xf32>'}}
  %0 = graph.scatter_update %x, %i, %a : tensor<9xf32>, tensor<4xi64>, tensor<3xf32>
}
