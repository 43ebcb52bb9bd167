// Mistakes in private functions and their calls.
// RUN: dtc-opt %s -graph-inline -split-input-file -verify-diagnostics

graph.func private @even(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.call @odd(%x) : (tensor<f32>) -> tensor<f32>
  graph.return %y : tensor<f32>
}
graph.func private @odd(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{call: a function cannot call itself: @even calls @odd calls @even}}
  %y = graph.call @even(%x) : (tensor<f32>) -> tensor<f32>
  graph.return %y : tensor<f32>
}

// -----

graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{call: there is no function @g}}
  %y = graph.call @g(%x) : (tensor<f32>) -> tensor<f32>
}

// -----

// expected-note@+1 {{@g is declared here}}
graph.func @g(%x: tensor<f32>) {
}
graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{call: @g is an entry point; write graph.func private to call it}}
  graph.call @g(%x) : (tensor<f32>) -> ()
}

// -----

// expected-note@+1 {{@g is declared here}}
graph.func private @g(%x: tensor<f32>) -> tensor<f32> {
  graph.return %x : tensor<f32>
}
graph.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{call: is called as (tensor<2xf32>) -> tensor<f32>, but @g has (tensor<f32>) -> tensor<f32>}}
  %y = graph.call @g(%x) : (tensor<2xf32>) -> tensor<f32>
}

// -----

// expected-error@+1 {{func: an entry point returns nothing; graph.output names what a step returns}}
graph.func @f(%x: tensor<f32>) -> tensor<f32> {
  graph.return %x : tensor<f32>
}

// -----

graph.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{return: an entry point returns nothing; graph.output names what a step returns}}
  graph.return
}

// -----

// expected-error@+1 {{func: @f is private, so it ends with graph.return}}
graph.func private @f(%x: tensor<f32>) {
}

// -----

// expected-note@+1 {{@f returns 'tensor<f32>'}}
graph.func private @f(%x: tensor<2xf32>) -> tensor<f32> {
  // expected-error@+1 {{return: returns 'tensor<2xf32>', not what the function declares}}
  graph.return %x : tensor<2xf32>
}

// -----

// expected-note@+1 {{@f is private}}
graph.func private @f(%x: tensor<f32>) {
  // expected-error@+1 {{output: stands in a private function, which only computes; put it into the entry point that calls it}}
  graph.output "y" = %x : tensor<f32>
  graph.return
}
