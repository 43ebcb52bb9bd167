// What the verifiers refuse of transfers, sends, recvs and feeds.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @key(%x: tensor<4xf32>) {
  // expected-error @below {{has the key 'x'; a key reads '<name>:<slot> <source task>-><target task>'}}
  %a0.x = dist.recv key "x" from <b:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
}

// -----
graph.func @peer() {
  // expected-error @below {{of edge 'x:0 a:0->a:0' has its own device as peer, a:0/cpu:0}}
  %a0.x = dist.recv key "x:0 a:0->a:0" from <a:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
}

// -----
graph.func @transfer() {
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
  // expected-error @below {{moves "x" as 'tensor<5xf32>', but it is 'tensor<4xf32>'}}
  %b0.x = dist.transfer %a0.x name "x" slot 0 into step reason "why" : !dist.placed<tensor<4xf32>, a:0/cpu:0> to !dist.placed<tensor<5xf32>, b:0/cpu:0>
}

// -----
graph.func @stays() {
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
  // expected-error @below {{moves "x" to the device that it is on, a:0/cpu:0}}
  %b0.x = dist.transfer %a0.x name "x" slot 0 into step reason "why" : !dist.placed<tensor<4xf32>, a:0/cpu:0> to !dist.placed<tensor<4xf32>, a:0/cpu:0>
}

// -----
graph.func @noFeed() {
  %a0.x = dist.recv key "x:0 b:0->a:0" from <b:0/cpu:0> : !dist.placed<tensor<4xf32>, a:0/cpu:0>
  // expected-error @below {{takes feed "x", which must be an argument of the function of type 'tensor<4xf32>'}}
  "dist.partition"(%a0.x) <{activation = #dist.activation<step>, device = #dist.device<a:0/cpu:0>, operandNames = ["x"], resultNames = [], slots = array<i64: 0>, sources = [unit]}> ({
  ^bb0(%x: tensor<4xf32>):
    "dist.yield"() : () -> ()
  }) : (!dist.placed<tensor<4xf32>, a:0/cpu:0>) -> ()
}

// -----
graph.func @unplaced(%x: tensor<4xf32>) {
  // expected-error @below {{takes "x", which is on no device: 'tensor<4xf32>'}}
  "dist.partition"(%x) <{activation = #dist.activation<step>, device = #dist.device<a:0/cpu:0>, operandNames = ["x"], resultNames = [], slots = array<i64: 0>, sources = [#dist.device<a:0/cpu:0>]}> ({
  ^bb0(%y: tensor<4xf32>):
    "dist.yield"() : () -> ()
  }) : (tensor<4xf32>) -> ()
}

// -----
graph.func @names(%x: tensor<4xf32>) {
  // expected-error @below {{has 1 operands; it needs as many names, sources, slots and block arguments}}
  "dist.partition"(%x) <{activation = #dist.activation<step>, device = #dist.device<a:0/cpu:0>, operandNames = [], resultNames = [], slots = array<i64: 0>, sources = [unit]}> ({
  ^bb0(%y: tensor<4xf32>):
    "dist.yield"() : () -> ()
  }) : (tensor<4xf32>) -> ()
}

// -----
graph.func @resultNames() {
  // expected-error @below {{has 1 results, but 0 names for them}}
  %a = "dist.partition"() <{activation = #dist.activation<step>, device = #dist.device<a:0/cpu:0>, operandNames = [], resultNames = [], slots = array<i64>, sources = []}> ({
    %x = graph.constant dense<0.0> : tensor<4xf32>
    "dist.yield"(%x) : (tensor<4xf32>) -> ()
  }) : () -> (!dist.placed<tensor<4xf32>, a:0/cpu:0>)
}

// -----
graph.func @elsewhere() {
  // expected-error @below {{runs on a:0/cpu:0, but gives "x" on b:0/cpu:0}}
  %a = "dist.partition"() <{activation = #dist.activation<step>, device = #dist.device<a:0/cpu:0>, operandNames = [], resultNames = ["x"], slots = array<i64>, sources = []}> ({
    %x = graph.constant dense<0.0> : tensor<4xf32>
    "dist.yield"(%x) : (tensor<4xf32>) -> ()
  }) : () -> (!dist.placed<tensor<4xf32>, b:0/cpu:0>)
}
