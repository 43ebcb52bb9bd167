// A device that the cluster does not have, and headers that cannot be.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-assign-jobs

module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @task(%x: tensor<4xf32>) {
    // expected-error @below {{'/job:worker/task:7' is not in the cluster}}
    // expected-note @below {{the cluster has ps:0, worker:0, worker:1}}
    // expected-note @below {{help: job worker has tasks 0 to 1}}
    %y = graph.neg %x {device = "/job:worker/task:7"} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<between_graph>} {
  // expected-error @below {{'/job:ps/task:1' is not in the cluster}}
  // expected-note @below {{the cluster has ps:0, worker:0, worker:1}}
  // expected-note @below {{help: job ps has one task, /job:ps/task:0}}
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {device = "/job:ps/task:1"}
}

// -----
module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @job(%x: tensor<4xf32>) {
    // expected-error @below {{'/job:tpu' is not in the cluster}}
    // expected-note @below {{the cluster has ps:0, worker:0, worker:1}}
    %y = graph.neg %x {device = "/job:tpu"} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @gpu(%x: tensor<4xf32>) {
    // expected-error @below {{'/gpu:0' is not in the cluster}}
    // expected-note @below {{the cluster has worker:0, worker:1}}
    // expected-note @below {{help: a task has one device, /device:CPU:0}}
    %y = graph.neg %x {device = "/gpu:0"} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<in_graph>} {
  graph.func @replica(%x: tensor<4xf32>) {
    // expected-error @below {{'/job:worker/replica:1' is not in the cluster}}
    // expected-note @below {{the cluster has worker:0, worker:1}}
    // expected-note @below {{help: every task is replica 0}}
    %y = graph.neg %x {device = "/job:worker/replica:1"} : tensor<4xf32>
  }
}

// -----
// Also where devices do not matter, their text must be right.
module attributes {dist.cluster = #dist.cluster<local = 1>, dist.mode = #dist.mode<local>} {
  graph.func @text(%x: tensor<4xf32>) {
    // expected-error @below {{'/device:gpu:0' is no device: device types are upper case: write /device:GPU, not /device:gpu}}
    %y = graph.neg %x {device = "/device:gpu:0"} : tensor<4xf32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<local = 1>, dist.mode = #dist.mode<local>} {
  graph.func @type(%x: tensor<4xf32>) {
    // expected-error @below {{attribute 'device' is a string, as in "/job:worker/task:0", not 1 : i64}}
    %y = graph.neg %x {device = 1} : tensor<4xf32>
  }
}

// -----
// expected-error @below {{mode between-graph needs a job that runs replicas: worker, chief or master}}
// expected-note @below {{the cluster has ps:0, ps:1}}
module attributes {dist.cluster = #dist.cluster<ps = 2>, dist.mode = #dist.mode<between_graph>} {}

// -----
// expected-error @below {{update async needs mode between-graph; elsewhere no worker has a pace of its own}}
module attributes {dist.cluster = #dist.cluster<ps = 2, worker = 1>, dist.mode = #dist.mode<in_graph>, dist.update = #dist.update<async>} {}

// -----
// expected-error @below {{the module has no dist.cluster and dist.mode; dist-assign-jobs writes them}}
module {}

// -----
module attributes {dist.cluster = #dist.cluster<ps = 2, worker = 1>, dist.mode = #dist.mode<between_graph>} {
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
  graph.func @data() {
    // expected-error @below {{'x' asked for '/job:ps', but between-graph each worker reads its own rows; leave its device out, or name job worker}}
    %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {device = "/job:ps"} : tensor<4xf32>
    graph.assign @w, %x : tensor<4xf32>
  }
}
