// Wishes that cannot all be had: both ends, what joins them op by op, the
// devices that exist, and one mending (D2, P1, P5).
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-assign-jobs="cluster=ps=2,worker=2 mode=in-graph"
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-assign-jobs="cluster=ps=2,worker=2 mode=in-graph soft-placement=true"

// expected-note @below {{variable 'w' asks for '/job:ps/task:0'}}
graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {device = "/job:ps/task:0"}
graph.func @jobs() {
  // expected-note @below {{'w' reads variable 'w'}}
  %w = graph.read @w : tensor<4xf32>
  // expected-note @below {{'h' is with 'w': 'colocate' has 'w'}}
  %h = graph.neg %w {colocate = ["w"]} : tensor<4xf32>
  // expected-error @below {{'g' and variable 'w' must be on one device, but ask for incompatible jobs: '/job:worker' and '/job:ps/task:0'}}
  // expected-note @below {{'g' is with 'h': 'colocate' has 'h'}}
  // expected-note @below {{'g' asks for '/job:worker'}}
  // expected-note @below {{the cluster has ps:0, ps:1, worker:0, worker:1}}
  // expected-note @below {{help: leave out the device of 'g': it follows variable 'w'}}
  %g = graph.exp %h {colocate = ["h"], device = "/job:worker"} : tensor<4xf32>
  graph.output "g" = %g : tensor<4xf32>
}

// -----
// A reference cannot leave its variable, nor an update (P1, P9).
// expected-note @below {{variable 'w' asks for '/job:ps/task:0'}}
graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {device = "/job:ps/task:0"}
graph.func @tasks(%x: tensor<4xf32>) {
  // expected-error @below {{'r' and variable 'w' must be on one device, but ask for incompatible tasks: '/task:1' and '/job:ps/task:0'}}
  // expected-note @below {{'r' reads variable 'w'}}
  // expected-note @below {{'r' asks for '/task:1'}}
  // expected-note @below {{the cluster has ps:0, ps:1, worker:0, worker:1}}
  // expected-note @below {{help: leave out the device of 'r': it follows variable 'w'}}
  %r = graph.read @w {device = "/task:1"} : tensor<4xf32>
  graph.output "r" = %r : tensor<4xf32>
}

// -----
graph.func @replicas(%x: tensor<4xf32>) {
  // expected-note @below {{'a' asks for '/replica:0'}}
  %a = graph.neg %x {device = "/replica:0"} : tensor<4xf32>
  // expected-error @below {{'b' and 'a' must be on one device, but ask for incompatible replicas: '/replica:1' and '/replica:0'}}
  // expected-note @below {{'b' is with 'a': 'colocate' has 'a'}}
  // expected-note @below {{'b' asks for '/replica:1'}}
  // expected-note @below {{the cluster has}}
  // expected-note @below {{help: leave out the device of 'b'}}
  %b = graph.neg %a {colocate = ["a"], device = "/replica:1"} : tensor<4xf32>
  graph.output "b" = %b : tensor<4xf32>
}
