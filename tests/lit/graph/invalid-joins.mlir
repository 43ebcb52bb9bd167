// What repetitions, joins and cuts refuse.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{tile: multiples has 1 numbers for 2 dimensions; give one for each}}
  %0 = graph.tile %a multiples [2] : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{tile: a multiple is from 0 to 2^40, got -2}}
  %0 = graph.tile %a multiples [-2] : tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<4x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{tile: the result, 4194304x2097152, would have more than 2^40 elements}}
  %0 = graph.tile %a multiples [1048576, 524288] : tensor<4x4xf32>
}

// -----
graph.func @f() {
  // expected-error@+2 {{op failed to infer returned types}}
  // expected-error@+1 {{concat: needs at least one operand}}
  %0 = "graph.concat"() {axis = 0 : i64} : () -> tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>, // expected-note {{is made here}}
              %b: tensor<2xi32>) { // expected-note {{is made here}}
  // expected-error@+1 {{concat: element types differ, f32 and i32; graph.cast converts}}
  %0 = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<2xi32>
}

// -----
graph.func @f(%a: tensor<f32>) { // expected-note {{is made here}}
  // expected-error@+1 {{concat: there is no axis 0 in scalar; axes count from 0}}
  %0 = graph.concat %a axis 0 : tensor<f32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>, // expected-note {{is made here}}
              %b: tensor<3x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{concat: operands may differ along axis 1 only, got 2x3 and 3x3}}
  %0 = graph.concat %a, %b axis 1 : tensor<2x3xf32>, tensor<3x3xf32>
}

// -----
graph.func @f() {
  // expected-error@+2 {{op failed to infer returned types}}
  // expected-error@+1 {{stack: needs at least one operand}}
  %0 = "graph.stack"() {axis = 0 : i64} : () -> tensor<0xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>, // expected-note {{is made here}}
              %b: tensor<3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{stack: operands must have one shape, got 2 and 3}}
  %0 = graph.stack %a, %b axis 0 : tensor<2xf32>, tensor<3xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{stack: axis must be from 0 to 1, got 2}}
  %0 = graph.stack %a axis 2 : tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{split: needs the size of at least one piece}}
  graph.split %a axis 0 sizes [] : tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<4x8xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{split: a piece has from 0 to 8 elements of axis 1, got 9}}
  %0:2 = graph.split %a axis 1 sizes [9, -1] : tensor<4x8xf32>
}

// -----
graph.func @f(%a: tensor<4x8xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{split: sizes add up to 7, but axis 1 of 4x8 has 8}}
  %0:2 = graph.split %a axis 1 sizes [3, 4] : tensor<4x8xf32>
}

// -----
graph.func @f(%a: tensor<4x5000xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{unstack: axis 1 of 4x5000 would make 5000 results; at most 4096}}
  %0:5000 = graph.unstack %a axis 1 : tensor<4x5000xf32>
}

// -----
graph.func @f(%a: tensor<4x8xf32>, // expected-note {{is made here}}
              %b: tensor<3xi64>) { // expected-note {{is made here}}
  // expected-error@+1 {{gather: there is no axis 2 in 4x8; axes count from 0}}
  %0 = graph.gather %a, %b axis 2 : tensor<4x8xf32>, tensor<3xi64>
}
