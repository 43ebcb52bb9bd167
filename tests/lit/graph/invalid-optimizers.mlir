// What the optimizers' numbers may be.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adagrad: the learning rate must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.adagrad<learning_rate = -0.1>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adagrad: initial_accumulator must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.adagrad<learning_rate = 0.1, initial_accumulator = -1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adagrad: epsilon must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.adagrad<learning_rate = 0.1, epsilon = -1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adam: the learning rate must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.adam<learning_rate = -0.1>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adam: beta1 must be from 0 to below 1, got 1}}
  graph.minimize %x : tensor<f32> with #graph.adam<learning_rate = 0.1, beta1 = 1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adam: beta2 must be from 0 to below 1, got}}
  graph.minimize %x : tensor<f32> with #graph.adam<learning_rate = 0.1, beta2 = -0.5>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adam: epsilon must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.adam<learning_rate = 0.1, epsilon = -1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{adamw: weight_decay must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.adamw<learning_rate = 0.1, weight_decay = -1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{rmsprop: the learning rate must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.rmsprop<learning_rate = -0.1>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{rmsprop: rho must be from 0 to below 1, got 1}}
  graph.minimize %x : tensor<f32> with #graph.rmsprop<learning_rate = 0.1, rho = 1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{rmsprop: momentum must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.rmsprop<learning_rate = 0.1, momentum = -1.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{lamb: beta1 must be from 0 to below 1, got 2}}
  graph.minimize %x : tensor<f32> with #graph.lamb<learning_rate = 0.1, beta1 = 2.0>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{lamb: weight_decay must not be negative}}
  graph.minimize %x : tensor<f32> with #graph.lamb<learning_rate = 0.1, weight_decay = -1.0>
}
