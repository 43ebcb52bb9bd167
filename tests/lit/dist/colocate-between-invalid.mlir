// Groups whose device is nowhere, and sources that cannot leave their worker.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-assign-jobs="cluster=ps=2,worker=2 mode=between-graph"

// Each wish alone could be had, together they cannot (P5).
graph.func @merged(%x: tensor<4xf32>) {
  // expected-error @below {{'/job:ps/task:3' is not in the cluster}}
  // expected-note @below {{'a' asks for '/job:ps'}}
  // expected-note @below {{the cluster has ps:0, ps:1, worker:0, worker:1}}
  // expected-note @below {{help: job ps has tasks 0 to 1}}
  %a = graph.neg %x {device = "/job:ps"} : tensor<4xf32>
  // expected-note @below {{'b' is with 'a': 'colocate' has 'a'}}
  // expected-note @below {{'b' asks for '/task:3'}}
  %b = graph.neg %a {colocate = ["a"], device = "/task:3"} : tensor<4xf32>
  graph.output "b" = %b : tensor<4xf32>
}

// -----
graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.func @input() {
  // expected-error @below {{'x' is with 'w', but between-graph each worker reads its own rows; leave its colocation out}}
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {colocate = ["w"]} : tensor<4xf32>
  graph.assign @w, %x : tensor<4xf32>
}
