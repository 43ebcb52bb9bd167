// What the verifiers of dist refuse, and how they say it.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{job 'ps' has 0 tasks; a job has at least 1}}
module attributes {dist.cluster = #dist.cluster<ps = 0>} {}

// -----
// expected-error @below {{job 'ps' is named twice in the cluster}}
module attributes {dist.cluster = #dist.cluster<ps = 1, ps = 2>} {}

// -----
// expected-error @below {{a cluster has at least one job}}
module attributes {dist.cluster = #dist.cluster<>} {}

// -----
graph.func @activation() {
  // expected-error @below {{expected step, serve or apply, got 'often'}}
  dist.partition on <ps:0/cpu:0> often { dist.yield }
}

// -----
graph.func @policy() {
  // expected-error @below {{expected sync or async, got 'never'}}
  %m = dist.take "g" policy never : tensor<4xf32>
}

// -----
graph.func @inside(%x: tensor<4xf32>) {
  // expected-error @below {{operand "x" is a ranked tensor inside a partition, not 'f32'}}
  dist.partition on <a:0/cpu:0> step ("x" = %x as %y: f32 feed) { dist.yield }
}

// -----
graph.func @result() {
  // expected-error @below {{result "x" is a ranked tensor, not 'f32'}}
  %y = dist.partition on <a:0/cpu:0> step -> ("x" : f32) { dist.yield }
}

// -----
// A forgotten transfer names both devices.
graph.func @devices() {
  %a0.x = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<4xf32>) {
    %x = graph.constant dense<0.0> : tensor<4xf32>
    dist.yield %x : tensor<4xf32>
  }
  // expected-error @below {{'dist.partition' op runs on b:0/cpu:0, but its operand "x" is on a:0/cpu:0; a dist.transfer must move it}}
  "dist.partition"(%a0.x) <{activation = #dist.activation<step>, device = #dist.device<b:0/cpu:0>, operandNames = ["x"], resultNames = [], slots = array<i64: 0>, sources = [#dist.device<b:0/cpu:0>]}> ({
  ^bb0(%x: tensor<4xf32>):
    "dist.yield"() : () -> ()
  }) : (!dist.placed<tensor<4xf32>, a:0/cpu:0>) -> ()
}

// -----
graph.func @twice() {
  // expected-error @below {{gives "x" twice}}
  %a, %b = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<4xf32>, "x" : tensor<4xf32>) {
    %x = graph.constant dense<0.0> : tensor<4xf32>
    dist.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  }
}

// -----
graph.func @yieldType() {
  %a = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<4xf32>) {
    %x = graph.constant dense<0.0> : tensor<5xf32>
    // expected-error @below {{yields 'tensor<5xf32>' for "x", but the partition gives 'tensor<4xf32>'}}
    dist.yield %x : tensor<5xf32>
  }
}

// -----
graph.func @yieldCount() {
  %a = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<4xf32>) {
    // expected-error @below {{yields 0 values, but the partition gives 1}}
    dist.yield
  }
}
