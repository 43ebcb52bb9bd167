// What element-wise ops, reductions and scans refuse.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<2x3xf32>, // expected-note {{is made here}}
              %b: tensor<2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{pow: shapes 2x3 and 2 do not broadcast; dimensions, aligned at the last, must be equal or 1}}
  %0 = graph.pow %a, %b : tensor<2x3xf32>, tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>, // expected-note {{is made here}}
              %b: tensor<2xf64>) { // expected-note {{is made here}}
  // expected-error@+1 {{less: element types differ, f32 and f64; graph.cast converts}}
  %0 = graph.less %a, %b : tensor<2xf32>, tensor<2xf64>
}

// -----
graph.func @f(%a: tensor<2xi1>, // expected-note {{is made here}}
              %b: tensor<3xi1>) { // expected-note {{is made here}}
  // expected-error@+1 {{logical_or: shapes 2 and 3 do not broadcast; dimensions, aligned at the last, must be equal or 1}}
  %0 = graph.logical_or %a, %b : tensor<2xi1>, tensor<3xi1>
}

// -----
graph.func @f(%c: tensor<2xi1>, // expected-note {{is made here}}
              %a: tensor<2xf32>, // expected-note {{is made here}}
              %b: tensor<1xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{select: shapes must be equal, got 2 and 1; graph.where broadcasts}}
  %0 = graph.select %c, %a, %b : tensor<2xi1>, tensor<2xf32>, tensor<1xf32>
}

// -----
graph.func @f(%c: tensor<2xi1>, // expected-note {{is made here}}
              %a: tensor<2xf32>, // expected-note {{is made here}}
              %b: tensor<2xi32>) { // expected-note {{is made here}}
  // expected-error@+1 {{where: element types differ, f32 and i32; graph.cast converts}}
  %0 = graph.where %c, %a, %b : tensor<2xi1>, tensor<2xf32>, tensor<2xi32>
}

// -----
graph.func @f(%c: tensor<3xi1>, // expected-note {{is made here}}
              %a: tensor<2xf32>, // expected-note {{is made here}}
              %b: tensor<2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{where: shapes 3, 2 and 2 do not broadcast; dimensions, aligned at the last, must be equal or 1}}
  %0 = graph.where %c, %a, %b : tensor<3xi1>, tensor<2xf32>, tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{clip: low must not be above high, got 2}}
  %0 = graph.clip %a from 2.0 to 1.0 : tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{cumsum: there is no axis 2 in 2x3; axes count from 0}}
  %0 = graph.cumsum %a axis 2 : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<f32>) { // expected-note {{is made here}}
  // expected-error@+1 {{top_k: needs a last dimension, got a scalar}}
  %0:2 = graph.top_k %a k 1 : tensor<f32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{top_k: k must be from 1 to 3, the size of the last dimension, got 4}}
  %0:2 = graph.top_k %a k 4 : tensor<2x3xf32>
}

// -----
graph.func @f(%a: tensor<2x0xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{argmin: axis 1 of 2x0 is empty: nothing is the largest or smallest}}
  %0 = graph.argmin %a axis 1 : tensor<2x0xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{reduce_min: names no axis to reduce}}
  %0 = graph.reduce_min %a axes [] : tensor<4x3xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{reduce_prod: axes must ascend, got 1 before 1}}
  %0 = graph.reduce_prod %a axes [1, 1] : tensor<4x3xf32>
}
