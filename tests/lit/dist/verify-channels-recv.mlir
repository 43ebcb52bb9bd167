// What phase `partition` promises about whoever takes what a recv brings.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-channels

graph.func @noSend() {
  // expected-error @below {{edge 'x:0 a:0->b:0': b:0 expects 'tensor<f32>', but no dist.send on a:0 has this key}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
}

// -----
graph.func @unused() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': no partition takes what dist.recv brings}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
}

// -----
graph.func @name() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': the key names 'x', but the partition on b:0/cpu:0 takes it as 'y'}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  dist.partition on <b:0/cpu:0> step ("y" = %b0.x as %y: tensor<f32> from <a:0/cpu:0>) { dist.yield }
}

// -----
graph.func @slot() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': the partition on b:0/cpu:0 takes 'x' over edge 'x:3 a:1->b:0'}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  dist.partition on <b:0/cpu:0> step ("x" = %b0.x as %x: tensor<f32> from <a:1/cpu:0> slot 3) { dist.yield }
}

// -----
graph.func @activations() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': two activations take it; each needs an edge of its own}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  dist.partition on <b:0/cpu:0> serve ("x" = %b0.x as %x: tensor<f32> from <a:0/cpu:0>) { dist.yield }
  dist.partition on <b:0/cpu:0> apply ("x" = %b0.x as %x: tensor<f32> from <a:0/cpu:0>) { dist.yield }
}

// -----
graph.func @order() {
  %a0.x, %a0.y = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>, "y" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x, %x : tensor<f32>, tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-note @below {{a:0 sends edge 'y:0 a:0->b:0', and waits for the recv of its send before}}
  dist.send %a0.y key "y:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'y:0 a:0->b:0': dist.recv is out of order: a:0 sends 'x:0 a:0->b:0' first}}
  // expected-note @below {{so the plan would wait for ever: b:0 receives edge 'y:0 a:0->b:0', and waits for its send}}
  %b0.y = dist.recv key "y:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  // expected-note @below {{b:0 receives edge 'x:0 a:0->b:0', and waits for its call before to the same peer, the first of these}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  dist.partition on <b:0/cpu:0> step ("x" = %b0.x as %x: tensor<f32> from <a:0/cpu:0>, "y" = %b0.y as %y: tensor<f32> from <a:0/cpu:0>) { dist.yield }
}
