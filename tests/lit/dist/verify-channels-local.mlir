// What stays on a device is handed over under its name, within one activation.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-channels

graph.func @activation() {
  %a0.x = dist.partition on <a:0/cpu:0> serve -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-error @below {{takes "x" in activation apply, but it is made in serve}}
  dist.partition on <a:0/cpu:0> apply ("x" = %a0.x as %x: tensor<f32>) { dist.yield }
}

// -----
graph.func @name() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-error @below {{takes "x" as "y"}}
  dist.partition on <a:0/cpu:0> step ("y" = %a0.x as %y: tensor<f32>) { dist.yield }
}

// -----
// A dropped pair of ends, with the producer's value put in the place of the
// received one.
graph.func @edge() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-error @below {{edge 'x:0 b:0->a:0': the partition on a:0/cpu:0 takes "x" from the device itself}}
  dist.partition on <a:0/cpu:0> step ("x" = %a0.x as %x: tensor<f32> from <b:0/cpu:0>) { dist.yield }
}

// -----
graph.func @consumer() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  // expected-error @below {{edge 'x:0 b:0->c:0': dist.send sends what no partition made}}
  dist.send %b0.x key "x:0 b:0->c:0" to <c:0/cpu:0> reason "" : !dist.placed<tensor<f32>, b:0/cpu:0>
}
