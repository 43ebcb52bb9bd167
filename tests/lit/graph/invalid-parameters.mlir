// RUN: dtc-opt %s -split-input-file -verify-diagnostics
// Named parameters of attributes: unknown, twice, none; and numbers.

// expected-error@+1 {{glorot_uniform takes no parameters; write #graph.glorot_uniform}}
graph.variable @w : tensor<4xf32> = #graph.glorot_uniform<3>

// -----

graph.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{adam has no parameter 'lr'; it takes learning_rate, beta1, beta2, epsilon}}
  graph.minimize %loss : tensor<f32> with #graph.adam<lr = 0.1>
}

// -----

graph.func @f(%loss: tensor<f32>) {
  // expected-error@+2 {{warm_up has no parameter 'step'; it takes steps, after}}
  // expected-error@+1 {{failed to parse}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = #graph.warm_up<step = 1, after = 0.1>>
}

// -----

graph.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{sgd: learning_rate is given twice}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1, learning_rate = 0.2>
}

// -----

graph.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected a parameter; write sgd<learning_rate = …>}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<0.1>
}

// -----

graph.func @f(%loss: tensor<f32>) {
  // expected-error@+1 {{expected a parameter; write sgd<learning_rate = …>}}
  graph.minimize %loss : tensor<f32> with #graph.sgd<>
}

// -----

graph.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a number, as 0.1}}
  %y = graph.clip %x from "a" to 1 : tensor<4xf32>
}

// -----

// expected-error@+1 {{a number with an exponent has a point; write 1.0e-4}}
graph.variable @w : tensor<4xf32> = #graph.fill<1e-4>

// -----

graph.func @all(%x: tensor<4xf32>) {
  // expected-error@+1 {{there is no attribute 'graph.one'}}
  %a = graph.relu %x {graph.one = 1 : i64} : tensor<4xf32>
  // expected-error@+1 {{requires a single operand}}
  %b = "graph.leaky_relu"(%x, %x) {alpha = 0.5} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}
