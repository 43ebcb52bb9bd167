// What a learning rate may be.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{expected a number, as 0.1, or a schedule: #graph.piecewise_constant, #graph.exponential_decay, #graph.cosine_decay or #graph.warm_up}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = "fast">
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{expected a number, as 0.1, or a schedule}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.he_normal>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{piecewise_constant: 2 boundaries need 3 values, got 2}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [1, 2], values = [0.1, 0.2]>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{piecewise_constant: boundaries must not be negative and must grow, got 1 after 2}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [2, 1], values = [0.1, 0.2, 0.3]>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{piecewise_constant: a learning rate must not be negative}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [1], values = [0.1, -0.2]>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{piecewise_constant: batch must be above 0, got -1}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [1], values = [0.1, 0.2], batch = -1>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{exponential_decay: decay_steps must be above 0, got 0}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.exponential_decay<rate = 0.1, decay_steps = 0, decay_rate = 0.5>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{exponential_decay: rate must not be negative}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.exponential_decay<rate = -0.1, decay_steps = 1, decay_rate = 0.5>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{exponential_decay: decay_rate must not be negative}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.exponential_decay<rate = 0.1, decay_steps = 1, decay_rate = -0.5>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+3 {{or 'true'}}
  // expected-error@+2 {{failed to parse Graph_ExponentialDecayAttr parameter 'staircase'}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.exponential_decay<rate = 0.1, decay_steps = 1, decay_rate = 0.5, staircase = 1>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{cosine_decay: decay_steps must be above 0, got -2}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.cosine_decay<rate = 0.1, decay_steps = -2>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{cosine_decay: alpha must not be negative}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.cosine_decay<rate = 0.1, decay_steps = 2, alpha = -1.0>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{warm_up: steps must be above 0, got 0}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.warm_up<steps = 0, after = 0.1>>
}

// -----
graph.func @f(%x: tensor<f32>) {
  // expected-error@+2 {{warm_up: the learning rate must not be negative}}
  // expected-error@+1 {{failed to parse Graph_SgdAttr parameter 'learning_rate'}}
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.warm_up<steps = 1, after = -0.1>>
}
