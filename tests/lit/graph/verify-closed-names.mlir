// Names that a pass left out or gave twice are caught at the door.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(graph-expand-training,graph-verify-closed)'

graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f() {
  %w = graph.read @w : tensor<f32>
  // expected-error@+1 {{a value without a name is left; run graph-assign-names first}}
  %loss = graph.square %w : tensor<f32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// -----
graph.variable @w : tensor<f32> = #graph.fill<0.0>
graph.func @f() {
  // expected-note@+1 {{first here}}
  %w.grad = graph.read @w : tensor<f32>
  // expected-error@+1 {{two values are named 'w.grad'; run graph-assign-names}}
  %loss = graph.neg %w.grad : tensor<f32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}
