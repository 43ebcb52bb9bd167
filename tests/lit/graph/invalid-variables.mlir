// Variables, their initializers, and who names them.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{variable: fill value 1.500000e+00 is not a value of 'i64'}}
graph.variable @v : tensor<2xi64> = #graph.fill<1.5>

// -----
// expected-error@+1 {{variable: fill value -1.000000e+00 is not a value of 'ui8'}}
graph.variable @v : tensor<2xui8> = #graph.fill<-1.0>

// -----
// expected-error@+1 {{variable: random initializers make floats, but @v is 'tensor<2xi64>'; use #graph.fill or a dense constant}}
graph.variable @v : tensor<2xi64> = #graph.glorot_uniform

// -----
// expected-error@+1 {{variable: @v is 'tensor<2xf32>', but its initial value is 'tensor<3xf32>'}}
graph.variable @v : tensor<2xf32> = dense<1.0> : tensor<3xf32>

// -----
// expected-error@+1 {{attribute 'initializer' failed to satisfy constraint: #graph.fill, #graph.uniform, #graph.normal, #graph.truncated_normal, #graph.glorot_uniform, #graph.he_normal or a dense constant}}
graph.variable @v : tensor<2xf32> = "zero"

// -----
// expected-error@+1 {{the variable's type must be a tensor of a static shape, got 'tensor<?xf32>'; write numbers for its dimensions}}
graph.variable @v : tensor<?xf32> = #graph.fill<0.0>

// -----
// expected-error@+1 {{variable: "my var" cannot name a variable; use letters, digits, '_', '-', '.', '$', and '/' between parts}}
graph.variable @"my var" : tensor<2xf32> = #graph.fill<0.0>

// -----
// expected-error@+1 {{variable: "layer1/../w" cannot name a variable}}
graph.variable @"layer1/../w" : tensor<2xf32> = #graph.fill<0.0>

// -----
// expected-error@+1 {{uniform: low must be below high}}
graph.variable @v : tensor<2xf32> = #graph.uniform<1.0, 1.0>

// -----
// expected-error@+1 {{normal: the standard deviation must not be negative}}
graph.variable @v : tensor<2xf32> = #graph.normal<0.0, -1.0>

// -----
// expected-error@+1 {{truncated_normal: the standard deviation must not be negative}}
graph.variable @v : tensor<2xf32> = #graph.truncated_normal<0.0, -1.0>

// -----
// expected-error@+2 {{expected a finite number, as 0.1}}
// expected-error@+1 {{failed to parse Graph_FillAttr parameter 'value'}}
graph.variable @v : tensor<2xf32> = #graph.fill<0x7FF0000000000000>

// -----
graph.variable @weights : tensor<2xf32> = #graph.fill<0.0>
graph.func @f() {
  // expected-error@+1 {{read: there is no variable @wieghts; did you mean @weights?}}
  %0 = graph.read @wieghts : tensor<2xf32>
}

// -----
graph.variable @weights : tensor<2xf32> = #graph.fill<0.0>
graph.func @f(%x: tensor<2xf32>) {
  // expected-error-re@+1 {{assign: there is no variable @b{{$}}}}
  graph.assign @b, %x : tensor<2xf32>
}

// -----
// expected-note@+1 {{@w is declared here}}
graph.variable @w : tensor<2xf32> = #graph.fill<0.0>
graph.func @f() {
  // expected-error@+1 {{read: @w is 'tensor<2xf32>', not 'tensor<3xf32>'}}
  %0 = graph.read @w : tensor<3xf32>
}

// -----
graph.variable @w : tensor<2xf32> = #graph.fill<0.0>
graph.func @f(%x: tensor<2xf32>) {
  // expected-note@+1 {{first here}}
  graph.assign @w, %x : tensor<2xf32>
  // expected-error@+1 {{assign: @w is assigned twice in one step}}
  graph.assign @w, %x : tensor<2xf32>
}
