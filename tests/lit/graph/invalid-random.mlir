// Ranges of random numbers, batches, epochs and shapes that make no sense.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%step: tensor<i64>) {
  // expected-error@+1 {{random_uniform: low must be below high, got 1.000000e+00 and 1.000000e+00}}
  %0 = graph.random_uniform %step seed 1 stream "a" low 1.0 high 1.0 : tensor<2xf32>
}

// -----
graph.func @f(%step: tensor<i64>) {
  // expected-error@+1 {{random_normal: the standard deviation must not be negative, got -1.000000e+00}}
  %0 = graph.random_normal %step seed 1 stream "a" mean 0.0 stddev -1.0 : tensor<2xf32>
}

// -----
graph.func @f(%step: tensor<i64>) {
  // expected-error@+1 {{random_truncated_normal: the standard deviation must not be negative, got -2.000000e+00}}
  %0 = graph.random_truncated_normal %step seed 1 stream "a" mean 0.0 stddev -2.0 : tensor<2xf32>
}

// -----
graph.func @f(%x: tensor<2xf32>, %step: tensor<i64>) {
  // expected-error@+1 {{dropout: the rate must be from 0 to below 1, got 1.000000e+00}}
  %0 = graph.dropout %x, %step rate 1.0 seed 1 stream "a" : tensor<2xf32>
}

// -----
// expected-error@+1 {{func: graph.epochs must be a whole number above 0, got 0 : i64; write graph.epochs = 20}}
graph.func @f() attributes {graph.epochs = 0} {
  %0 = graph.constant dense<0.0> : tensor<f32>
}

// -----
graph.func @f() {
  // expected-error@+1 {{input: column "a": a batch has at least one row, got 'tensor<0xf32>'}}
  %a = graph.input "s" rows 0 to 9 [#graph.column<"a", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<0xf32>
}

// -----
graph.func @f(%x: tensor<2x4x4xf32>, %dy: tensor<2x4x4x3xf32>) {
  // expected-error@+1 {{conv2d_backprop_filter: images and filters have four dimensions, got 'tensor<2x4x4xf32>' and 'tensor<1x1x1x3xf32>'}}
  %0 = graph.conv2d_backprop_filter %x, %dy strides [1, 1] padding "SAME" dilations [1, 1] : tensor<2x4x4xf32>, tensor<2x4x4x3xf32> to tensor<1x1x1x3xf32>
}

// -----
graph.func @f(%x: tensor<?xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{matmul: operands must be tensors with a static shape, at most 2^40 elements, and elements of f32, f64, f16, bf16, i1, i8, ui8, i32 or i64}}
  %0 = graph.matmul %x, %x : tensor<?xf32>, tensor<?xf32>
}
