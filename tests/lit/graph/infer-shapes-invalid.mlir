// A graph that depends on its batch says where.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -graph-infer-shapes=batch=10

graph.func @constant() {
  // expected-note@+1 {{operand of type 'tensor<10xf32>' is made here}}
  %x = graph.input "s" rows 0 to 100 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<6xf32>
  // expected-note@+1 {{operand of type 'tensor<6xf32>' is made here}}
  %six = graph.constant dense<1.0> : tensor<6xf32>
  // expected-error@+1 {{mul: shapes 10 and 6 do not broadcast}}
  %y = graph.mul %x, %six : tensor<6xf32>, tensor<6xf32>
  %loss = graph.reduce_mean %y axes [0] : tensor<6xf32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.func @reshape() {
  %x = graph.input "s" rows 0 to 100 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<6xf32>
  // expected-error@+1 {{reshape: keeps the elements, but 'tensor<10xf32>' has 10 and 'tensor<2x3xf32>' has 6}}
  %y = graph.reshape %x : tensor<6xf32> to tensor<2x3xf32>
  %loss = graph.reduce_mean %y axes [0, 1] : tensor<2x3xf32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.func @rows() {
  // expected-error@+1 {{input: a batch of 10 needs more than the 8 rows given}}
  %x = graph.input "s" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<6xf32>
  %loss = graph.reduce_mean %x axes [0] : tensor<6xf32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}
