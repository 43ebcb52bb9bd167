// A value that differs from tower to tower, or from worker to worker, leaves as
// a mean; only floats have one.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-assign-jobs -dist-replicate=replicas=2

module attributes {dist.cluster = #dist.cluster<local = 1>, dist.mode = #dist.mode<local>} {
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
  graph.func @output() {
    %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
    graph.assign @w, %x : tensor<4xf32>
    %i = graph.cast %x : tensor<4xf32> to tensor<4xi32>
    // expected-error @below {{output 'i' takes a value that differs from tower to tower and is 'i32'; only floats have a mean: cast it to f32}}
    graph.output "i" = %i : tensor<4xi32>
  }
}

// -----
module attributes {dist.cluster = #dist.cluster<local = 1>, dist.mode = #dist.mode<local>} {
  graph.variable @n : tensor<4xi32> = dense<0> : tensor<4xi32>
  graph.func @update() {
    %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xi32>
    // expected-error @below {{the update of 'n' takes a value that differs from tower to tower and is 'i32'; only floats have a mean: cast it to f32}}
    graph.assign @n, %x : tensor<4xi32>
  }
}
