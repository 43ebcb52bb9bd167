// Every value has one name in its function: the file's, else the op's with a
// number. Functions do not share names.
// RUN: dtc-opt %s -graph-assign-names | FileCheck %s
// RUN: dtc-opt %s -graph-expand-training -graph-assign-names | FileCheck %s --check-prefix=TAKEN

graph.variable @w : tensor<f32> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @f(%argument_0: tensor<f32>)
graph.func @f(%0: tensor<f32>) {
  // CHECK-NEXT: %exp_1 = graph.exp %argument_0
  %exp_1 = graph.exp %0 : tensor<f32>
  // CHECK-NEXT: %exp_0 = graph.exp
  %1 = graph.exp %0 : tensor<f32>
  // CHECK-NEXT: %exp_2 = graph.exp
  %2 = graph.exp %0 : tensor<f32>
  // CHECK-NEXT: %rate = graph.constant
  // CHECK-NEXT: %pair.0, %pair.1 = graph.apply_momentum
  %rate = graph.constant dense<0.1> : tensor<f32>
  %pair:2 = graph.apply_momentum %0, %1, %2 learning_rate %rate momentum 0.9 : tensor<f32>
}

// TAKEN-LABEL: graph.func @g(%x: tensor<f32>)
graph.func @g(%x: tensor<f32>) {
  // The user has a value of the gradient's name.
  // TAKEN-NEXT: %w.grad = graph.read
  %w.grad = graph.read @w : tensor<f32>
  %loss = graph.mul %w.grad, %x : tensor<f32>, tensor<f32>
  // TAKEN: %w.grad_0 = graph.mul
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}
