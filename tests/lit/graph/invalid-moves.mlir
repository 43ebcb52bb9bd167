// What moves of one tensor refuse.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{transpose: perm has 1 numbers for 2 dimensions}}
  %0 = graph.transpose %a perm [1] : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{transpose: there is no axis 2 in 2x3; axes count from 0}}
  %0 = graph.transpose %a perm [2, 0] : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{transpose: perm names axis 1 twice}}
  %0 = graph.transpose %a perm [1, 1] : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{expand_dims: axis must be from 0 to 2, got 3}}
  %0 = graph.expand_dims %a axis 3 : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<1x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{squeeze: there is no axis -1 in 1x3; axes count from 0}}
  %0 = graph.squeeze %a axes [-1] : tensor<1x3xf32>
}

// -----
graph.func @f(%a: tensor<1x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{squeeze: axes names axis 0 twice}}
  %0 = graph.squeeze %a axes [0, 0] : tensor<1x3xf32>
}

// -----
graph.func @f(%a: tensor<1x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{squeeze: axis 1 of 1x3 has size 3, not 1}}
  %0 = graph.squeeze %a axes [0, 1] : tensor<1x3xf32>
}

// -----
graph.func @f(%a: tensor<4x8xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{slice: begin has 1 numbers for 2 dimensions}}
  %0 = graph.slice %a begin [0] size [1, 1] : tensor<4x8xf32>
}

// -----
graph.func @f(%a: tensor<4x8xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{slice: elements 6 and 3 from there on do not lie in axis 1 of 4x8}}
  %0 = graph.slice %a begin [0, 6] size [1, 3] : tensor<4x8xf32>
}

// -----
graph.func @f(%a: tensor<8xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{strided_slice: strides has 2 numbers for 1 dimensions}}
  %0 = graph.strided_slice %a begin [0] end [8] strides [1, 1] : tensor<8xf32>
}

// -----
graph.func @f(%a: tensor<8xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{strided_slice: a stride must not be 0}}
  %0 = graph.strided_slice %a begin [0] end [8] strides [0] : tensor<8xf32>
}

// -----
graph.func @f(%a: tensor<3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{pad: a padding is from 0 to 2^40 elements, got -1; graph.slice cuts}}
  %0 = graph.pad %a before [0] after [-1] value 0.0 : tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{pad: reflect adds at most 2 elements to axis 1 of 2x3, got 3; give fewer, or a value in place of reflect}}
  %0 = graph.pad %a before [0, 3] after [0, 0] reflect : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<3xf32>) {
  // expected-error@+1 {{pad: needs either a value or reflect; write value 0.0 or reflect}}
  %0 = graph.pad %a before [1] after [1] : tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<3xf32>) {
  // expected-error@+1 {{pad: needs either a value or reflect; write value 0.0 or reflect}}
  %0 = graph.pad %a before [1] after [1] value 0.0 reflect : tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{pad: after has 2 numbers for 1 dimensions}}
  %0 = graph.pad %a before [0] after [0, 0] value 0.0 : tensor<3xf32>
}
