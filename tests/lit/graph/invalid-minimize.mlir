// What can be minimized, with which optimizer, over which variables.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{minimize: the loss must be a scalar, got 'tensor<2xf32>'; reduce it with graph.reduce_mean}}
  graph.minimize %x : tensor<2xf32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{attribute 'optimizer' failed to satisfy constraint: #graph.sgd, #graph.momentum, #graph.adagrad, #graph.adam, #graph.adamw, #graph.rmsprop or #graph.lamb}}
  graph.minimize %x : tensor<f32> with "adam"
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{sgd: the learning rate must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = -0.1>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{momentum: the learning rate must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.momentum<learning_rate = -0.1, momentum = 0.9>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{momentum: momentum must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = -0.9>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: names no variable; without `for` it trains all that the loss depends on}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> for []
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: there is no variable @v; did you mean @w?}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> for [@v]
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: names @w twice}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> for [@w, @w]
}

// -----
graph.variable @w : tensor<i64> = #graph.fill<0.0>
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: @w is 'tensor<i64>'; only floats can be trained}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> for [@w]
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: weight_decay must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> weight_decay -0.1
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: clip_by_value must be above 0, got 0}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> clip_by_value 0.0
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{minimize: clip_by_global_norm must be above 0, got -1}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = 0.1> clip_by_global_norm -1.0
}
