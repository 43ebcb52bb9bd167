// Text of phase place that was edited: what must be together no longer is (P1).
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-placement

module attributes {dist.cluster = #dist.cluster<ps = 2, worker = 1>, dist.mode = #dist.mode<in_graph>} {
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {dist.device = #dist.device<ps:0/cpu:0>}
  // expected-error @below {{variable 'w.momentum' is on ps:1/cpu:0, but variable 'w' on ps:0/cpu:0, and they must be together}}
  // expected-note @below {{variable 'w.momentum' is a slot of variable 'w'}}
  graph.variable @w.momentum : tensor<4xf32> = #graph.fill<0.0> slot {dist.device = #dist.device<ps:1/cpu:0>}
}

// -----
module attributes {dist.cluster = #dist.cluster<ps = 2, worker = 1>, dist.mode = #dist.mode<in_graph>} {
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {dist.device = #dist.device<ps:0/cpu:0>}
  graph.func @f(%x: tensor<4xf32>) {
    // expected-note @below {{'h' names variable 'w' in 'colocate'}}
    %h = graph.neg %x {colocate = ["h", "@w"], dist.device = #dist.device<ps:0/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
    // expected-error @below {{'g' is on ps:1/cpu:0, but variable 'w' on ps:0/cpu:0, and they must be together}}
    // expected-note @below {{'g' is with 'h': 'colocate' has 'h'}}
    %g = graph.neg %x {colocate = ["h"], dist.device = #dist.device<ps:1/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
  }
}
