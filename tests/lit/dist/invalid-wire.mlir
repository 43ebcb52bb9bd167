// What must not be rounded on the wire, and ends that do not agree (G7).
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-channels

graph.func @type() {
  // expected-error @below {{crosses as 'f16'; only bf16 is possible}}
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> wire f16 : !dist.placed<tensor<4xf32>, a:0/cpu:0>
}

// -----
graph.func @element() {
  // expected-error @below {{crosses as bf16, but is 'tensor<4xi64>'; only f32 is narrowed}}
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> wire bf16 : !dist.placed<tensor<4xi64>, a:0/cpu:0>
}

// -----
graph.func @stays() {
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
  // expected-error @below {{crosses as bf16, but stays on a:0; nothing is rounded within a task}}
  dist.send %a0.x key "x:0 a:0->a:0" to <a:0/cpu:1> reason "" wire bf16 : !dist.placed<tensor<4xf32>, a:0/cpu:0>
}

// -----
graph.func @transfer() {
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
  // expected-error @below {{crosses as bf16, but stays on a:0; nothing is rounded within a task}}
  %1 = dist.transfer %a0.x name "x" slot 0 into step reason "" wire bf16 : !dist.placed<tensor<4xf32>, a:0/cpu:0> to !dist.placed<tensor<4xf32>, a:0/cpu:1>
}

// -----
graph.func @ends() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" wire bf16 : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': dist.recv expects 'f32' on the wire, but dist.send sends 'bf16'}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
}
