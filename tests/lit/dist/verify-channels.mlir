// What phase `partition` promises about its edges. (tampered.test has what
// becomes of a good text that is edited.)
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-channels

graph.func @flat(%x: tensor<f32>) {
  // expected-error @below {{'graph.neg' op is in no partition; a function of this phase holds dist.partition, dist.send and dist.recv}}
  %y = graph.neg %x : tensor<f32>
}

// -----
graph.func @sentTwice() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the first is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': has a second dist.send; a key is used once}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
}

// -----
graph.func @relay() {
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': dist.send sends what no partition made}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
}

// -----
graph.func @sendPeer() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-error @below {{edge 'x:0 a:0->b:0': dist.send leads from a:0 to b:1}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:1/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-note @below {{the other end is here}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
}

// -----
graph.func @noRecv() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-error @below {{edge 'x:0 a:0->b:0': a:0 sends 'tensor<f32>', but no dist.recv on b:0 has this key}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
}

// -----
graph.func @types() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': dist.recv expects 'tensor<f64>', but dist.send sends 'tensor<f32>'}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f64>, b:0/cpu:0>
}

// -----
graph.func @recvPeer() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
  // expected-error @below {{edge 'x:0 a:0->b:0': dist.recv on b:0/cpu:0 expects it from a:1/cpu:0, but dist.send leads from a:0/cpu:0 to b:0/cpu:0}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:1/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
}

// -----
graph.func @early() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<f32>) {
    %x = graph.constant dense<0.0> : tensor<f32>
    dist.yield %x : tensor<f32>
  }
  // expected-error @below {{edge 'x:0 a:0->b:0': dist.recv stands before dist.send; the text is an order of execution}}
  %b0.x = dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> : !dist.placed<tensor<f32>, b:0/cpu:0>
  // expected-note @below {{the other end is here}}
  dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "" : !dist.placed<tensor<f32>, a:0/cpu:0>
}
