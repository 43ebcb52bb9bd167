// Where the values of replicas may be made and taken.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-verify-placement

module attributes {dist.cluster = #dist.cluster<ps = 2, worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.func @f(%x: tensor<4xf32>) {
    // expected-note @below {{defined here}}
    %y = graph.neg %x {dist.device = #dist.device<ps:0/cpu:0>, dist.activation = #dist.activation<serve>} : tensor<4xf32>
    // expected-error @below {{'z' on ps:1 takes 'y' from ps:0, both once for each replica; such a value passes the replica's worker (dist-insert-relays)}}
    %z = graph.neg %y {dist.device = #dist.device<ps:1/cpu:0>, dist.activation = #dist.activation<serve>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.func @f() {
    // expected-error @below {{'x' is read on ps:0/cpu:0 for the replicas; each worker reads its own rows}}
    %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {dist.device = #dist.device<ps:0/cpu:0>, dist.activation = #dist.activation<serve>} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.func @f() {
    // expected-error @below {{'index' runs once a step, where there is no one replica}}
    %index = graph.replica_index {dist.device = #dist.device<ps:0/cpu:0>, dist.activation = #dist.activation<apply>}
  }
}
