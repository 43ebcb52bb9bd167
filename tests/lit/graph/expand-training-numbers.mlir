// RUN: dtc-opt %s -graph-expand-training -split-input-file -verify-diagnostics

// A number that the elements of a variable cannot hold would train it to NaN.

// expected-note@+1 {{@w is declared here}}
graph.variable @w : tensor<4xf16> = #graph.fill<0.0>
graph.func @rate() {
  %w = graph.read @w : tensor<4xf16>
  %loss = graph.l2_loss %w : tensor<4xf16>
  // expected-error@+1 {{minimize: learning_rate 1.000000e+05 would be infinite in 'f16', the elements of @w}}
  graph.minimize %loss : tensor<f16> with #graph.sgd<learning_rate = 100000.0>
}
// -----
// expected-note@+1 {{@w is declared here}}
graph.variable @w : tensor<4xf16> = #graph.fill<0.0>
graph.func @schedule() {
  %w = graph.read @w : tensor<4xf16>
  %loss = graph.l2_loss %w : tensor<4xf16>
  // expected-error@+1 {{minimize: rate 1.000000e+05 would be infinite in 'f16'}}
  graph.minimize %loss : tensor<f16> with #graph.adam<learning_rate =
      #graph.warm_up<steps = 3, after = #graph.cosine_decay<rate = 100000.0, decay_steps = 9>>>
}
// -----
// expected-note@+1 {{@w is declared here}}
graph.variable @w : tensor<4xf16> = #graph.fill<0.0>
graph.func @slot() {
  %w = graph.read @w : tensor<4xf16>
  %loss = graph.l2_loss %w : tensor<4xf16>
  // expected-error@+1 {{minimize: initial_accumulator 7.000000e+04 would be infinite in 'f16'}}
  graph.minimize %loss : tensor<f16> with #graph.adagrad<learning_rate = 0.1, initial_accumulator = 70000.0>
}
// -----
// expected-note@+1 {{@w is declared here}}
graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.func @norm() {
  %w = graph.read @w : tensor<4xf32>
  %loss = graph.l2_loss %w : tensor<4xf32>
  // expected-error@+1 {{minimize: clip_by_global_norm 1.000000e+39 would be infinite in 'f32'}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1> clip_by_global_norm 1.0e39
}
// -----
// Integers are read, but not trained; the error says so.
graph.variable @n : tensor<4xi32> = #graph.fill<1.0>
graph.func @integers() {
  // expected-note@+1 {{@n is 'tensor<4xi32>'}}
  %n = graph.read @n : tensor<4xi32>
  %x = graph.cast %n : tensor<4xi32> to tensor<4xf32>
  %loss = graph.l2_loss %x : tensor<4xf32>
  // expected-error@+1 {{minimize: the loss depends on no variable of floats, and only floats can be trained}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}
// -----
graph.func @feed(%x: tensor<4xf32>) {
  %loss = graph.l2_loss %x : tensor<4xf32>
  // expected-error@+1 {{minimize: the loss depends on no variable}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}
