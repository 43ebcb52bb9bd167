// RUN: dtc-opt %s -split-input-file -verify-diagnostics -graph-expand-training

graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: the loss depends on no variable}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
// What argmax says does not change smoothly with the variable.
graph.variable @w : tensor<2xf32> = #graph.fill<0.0>
graph.func @f(%x: tensor<f32>) {
  %w = graph.read @w : tensor<2xf32>
  %largest = graph.argmax %w axis 0 : tensor<2xf32>
  %loss = graph.cast %largest : tensor<i64> to tensor<f32>
  // expected-error@+1 {{minimize: the loss depends on no variable}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.variable @v : tensor<f32> = #graph.fill<0.0>
graph.func @f(%x: tensor<f32>) {
  %w = graph.read @w : tensor<f32>
  // expected-error@+1 {{minimize: the loss does not depend on @v}}
  graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = 0.1> for [@w, @v]
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f(%x: tensor<f32>) {
  // expected-note@+1 {{it gets 'w', which depends on them}}
  %w = graph.read @w : tensor<f32>
  // expected-error@+1 {{replica_mean: has no gradient, and the loss depends on trained variables through it}}
  %mean = graph.replica_mean %w, %x : tensor<f32>
  // expected-note@+1 {{the loss, 'loss', depends on its result}}
  %loss = graph.square %mean : tensor<f32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
// expected-note@+1 {{by this}}
graph.variable @w.momentum : tensor<f32> = #graph.fill<0.0>
graph.func @f() {
  %w = graph.read @w : tensor<f32>
  // expected-error@+1 {{minimize: needs a slot @w.momentum, but the name is taken}}
  graph.minimize %w : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = 0.9>
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f() {
  %w = graph.read @w : tensor<f32>
  // expected-note@+1 {{first here}}
  graph.assign @w, %w : tensor<f32>
  // expected-error@+1 {{minimize: @w is assigned twice in one step}}
  graph.minimize %w : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
// expected-note@+1 {{by this}}
graph.variable @global_step : tensor<f32> = #graph.fill<0.0>
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f() {
  %w = graph.read @w : tensor<f32>
  // expected-error@+1 {{minimize: counts steps in the variable @global_step : tensor<i64>, but the name is taken}}
  graph.minimize %w : tensor<f32> with #graph.adam<learning_rate = 0.1>
}
