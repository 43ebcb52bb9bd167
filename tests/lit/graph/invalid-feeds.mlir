// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// What is wrong with the type of a feed, a result or a variable is said, each
// in its own words.

// expected-error@+1 {{func: feed 0 is no tensor but 'index'; write tensor<f32> for a scalar, tensor<4x8xf32> for a matrix}}
graph.func @f(%x: index) {
}
// -----
// expected-error@+1 {{func: feed 1 has elements of type 'i7'; use f32, f64, f16, bf16, i1, i8, ui8, i32 or i64}}
graph.func @f(%x: tensor<4xf32>, %y: tensor<4xi7>) {
}
// -----
// expected-error@+1 {{func: feed 0 has elements of type 'complex<f32>'; use f32}}
graph.func @f(%x: tensor<4xcomplex<f32>>) {
}
// -----
// expected-error@+1 {{func: feed 0 has the encoding "sparse", and tensors of a graph have none; leave it out}}
graph.func @f(%x: tensor<4xf32, "sparse">) {
}
// -----
// expected-error@+1 {{func: feed 0 has 36 dimensions, and a tensor has at most 32}}
graph.func @f(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
}
// -----
// expected-error@+1 {{func: feed 0 has more than 2^40 elements, got 'tensor<1048576x1048577xf32>'}}
graph.func @f(%x: tensor<1048576x1048577xf32>) {
}
// -----
// expected-error@+1 {{func: result 0 has elements of type 'f8E5M2'; use f32}}
graph.func private @f(%x: tensor<4xf32>) -> tensor<4xf8E5M2> {
  graph.return %x : tensor<4xf32>
}
// -----
// expected-error@+1 {{the variable's type has elements of type 'i7'; use f32}}
graph.variable @w : tensor<4xi7> = #graph.fill<0.0>
// -----
// expected-error@+1 {{the variable's type must be a tensor of a static shape, got 'tensor<*xf32>'; write numbers for its dimensions}}
graph.variable @w : tensor<*xf32> = #graph.fill<0.0>
