// A shape rule that fails names what clashes, and where the operands are made.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// expected-note@+1 {{operand of type 'tensor<4x64xf32>' is made here}}
graph.func @f(%a: tensor<4x64xf32>,
              %b: tensor<46x3xf32>) { // expected-note {{operand of type 'tensor<46x3xf32>' is made here}}
  // expected-error@+1 {{matmul: inner dimensions differ, 64 and 46; give the right operand 64 rows}}
  %0 = graph.matmul %a, %b : tensor<4x64xf32>, tensor<46x3xf32>
}

// -----
graph.func @f(%a: tensor<4xf32>,   // expected-note {{is made here}}
              %b: tensor<4x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{matmul: operands must be matrices, got 4 and 4x3; graph.batch_matmul takes more dimensions, graph.reshape makes matrices}}
  %0 = graph.matmul %a, %b : tensor<4xf32>, tensor<4x3xf32>
}

// -----
graph.func @f(%a: tensor<2x3xf32>,   // expected-note {{is made here}}
              %b: tensor<2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{add: shapes 2x3 and 2 do not broadcast; dimensions, aligned at the last, must be equal or 1}}
  %0 = graph.add %a, %b : tensor<2x3xf32>, tensor<2xf32>
}

// -----
graph.func @f(%a: tensor<2xf32>,   // expected-note {{is made here}}
              %b: tensor<2xf64>) { // expected-note {{is made here}}
  // expected-error@+1 {{mul: element types differ, f32 and f64; graph.cast converts}}
  %0 = graph.mul %a, %b : tensor<2xf32>, tensor<2xf64>
}

// -----
graph.func @f(%a: tensor<1048576x1xf32>,   // expected-note {{is made here}}
              %b: tensor<2097152xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{add: the result, 1048576x2097152, would have more than 2^40 elements}}
  %0 = graph.add %a, %b : tensor<1048576x1xf32>, tensor<2097152xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>,   // expected-note {{is made here}}
              %b: tensor<4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{bias_add: the bias must be a vector as long as the last dimension, got 4x3 and 4}}
  %0 = graph.bias_add %a, %b : tensor<4x3xf32>, tensor<4xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>,   // expected-note {{is made here}}
              %b: tensor<4x1xi64>) { // expected-note {{is made here}}
  // expected-error@+1 {{softmax_cross_entropy: logits must be a matrix [batch, classes] and labels a vector [batch], got 4x3 and 4x1}}
  %0 = graph.softmax_cross_entropy %a, %b : tensor<4x3xf32>, tensor<4x1xi64>
}

// -----
graph.func @f(%a: tensor<4x3xf32>,   // expected-note {{is made here}}
              %b: tensor<5xi64>) { // expected-note {{is made here}}
  // expected-error@+1 {{softmax_cross_entropy: batches differ, 4 logits and 5 labels; give one label to each row of logits}}
  %0 = graph.softmax_cross_entropy %a, %b : tensor<4x3xf32>, tensor<5xi64>
}

// -----
graph.func @f(%a: tensor<4xi64>) { // expected-note {{is made here}}
  // expected-error@+1 {{one_hot: depth must not be negative, got -1}}
  %0 = graph.one_hot %a depth -1 as f32 : tensor<4xi64>
}

// -----
graph.func @f(%a: tensor<4xi64>) { // expected-note {{is made here}}
  // expected-error@+1 {{one_hot: there are no tensors of i7}}
  %0 = graph.one_hot %a depth 3 as i7 : tensor<4xi64>
}

// -----
graph.func @f(%a: tensor<4x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{reduce_sum: names no axis to reduce; write axes [0, 1] for all of them}}
  %0 = graph.reduce_sum %a axes [] : tensor<4x3xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{reduce_mean: there is no axis 2 in 4x3; axes count from 0}}
  %0 = graph.reduce_mean %a axes [0, 2] : tensor<4x3xf32>
}

// -----
graph.func @f(%a: tensor<4x3xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{reduce_max: axes must ascend, got 1 before 0; write each once, the smallest first}}
  %0 = graph.reduce_max %a axes [1, 0] : tensor<4x3xf32>
}

// -----
graph.func @f(%a: tensor<f32>) { // expected-note {{is made here}}
  // expected-error@+1 {{argmax: there is no axis 0 in scalar; axes count from 0}}
  %0 = graph.argmax %a axis 0 : tensor<f32>
}
