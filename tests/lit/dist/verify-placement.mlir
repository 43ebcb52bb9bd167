// What phase `place` promises: everything has a device that exists, is at home,
// and can hand its values on.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-placement

// expected-error @below {{the module has no dist.cluster and dist.mode}}
module {}

// -----
module attributes {dist.cluster = #dist.cluster<a = 1>, dist.mode = #dist.mode<in_graph>} {
  // expected-error @below {{variable 'w' has no dist.device}}
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
}

// -----
module attributes {dist.cluster = #dist.cluster<a = 2>, dist.mode = #dist.mode<in_graph>} {
  // expected-error @below {{variable 'w' is on a:*/cpu:0; a variable lives on one task}}
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {dist.device = #dist.device<a:*/cpu:0>}
}

// -----
module attributes {dist.cluster = #dist.cluster<a = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @f(%x: tensor<4xf32>) {
    // expected-error @below {{'y' is on a:2/cpu:0, which is not in the cluster}}
    // expected-note @below {{the cluster has a:0, a:1, each with cpu:0}}
    %y = graph.neg %x {dist.device = #dist.device<a:2/cpu:0>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<a = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @f(%x: tensor<4xf32>) {
    // expected-error @below {{'y' has no dist.activation}}
    %y = graph.neg %x {dist.device = #dist.device<a:1/cpu:0>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<a = 2>, dist.mode = #dist.mode<in_graph>} {
  // expected-note @below {{declared here}}
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {dist.device = #dist.device<a:0/cpu:0>}
  graph.func @f(%x: tensor<4xf32>) {
    // expected-error @below {{'w' is on a:1/cpu:0, but 'w' lives on a:0/cpu:0}}
    %w = graph.read @w {dist.device = #dist.device<a:1/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<a = 2>, dist.mode = #dist.mode<in_graph>} {
  // expected-note @below {{declared here}}
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {dist.device = #dist.device<a:0/cpu:0>}
  graph.func @f(%x: tensor<4xf32>) {
    // expected-error @below {{the update of 'w' is on a:1/cpu:0, but 'w' lives on a:0/cpu:0}}
    graph.assign @w, %x {dist.device = #dist.device<a:1/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @f(%x: tensor<4xf32>) {
    // expected-error @below {{output 'x' is on worker:1/cpu:0; outputs end on the chief, worker:0/cpu:0}}
    graph.output "x" = %x {dist.device = #dist.device<worker:1/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.func @f(%x: tensor<4xf32>) {
    // expected-note @below {{defined here}}
    %y = graph.neg %x {dist.device = #dist.device<worker:*/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
    // expected-error @below {{output 'y' runs once a step, but 'y' once for each replica; only dist.accumulate and dist.take lead from one to the other}}
    graph.output "y" = %y {dist.device = #dist.device<worker:0/cpu:0>, dist.activation = #dist.activation<apply>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.func @f(%x: tensor<4xf32>) {
    // expected-note @below {{defined here}}
    %y = graph.neg %x {dist.device = #dist.device<worker:0/cpu:0>, dist.activation = #dist.activation<apply>} : tensor<4xf32>
    // expected-error @below {{'z' runs before the update, but 'y' is part of it}}
    %z = graph.neg %y {dist.device = #dist.device<worker:*/cpu:0>, dist.activation = #dist.activation<step>} : tensor<4xf32>
  }
}
