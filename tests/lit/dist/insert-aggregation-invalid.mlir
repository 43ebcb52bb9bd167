// Only floats have a mean over the workers.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics -dist-assign-jobs -dist-insert-aggregation

module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
  graph.func @train() {
    %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
    graph.assign @w, %x : tensor<4xf32>
    %i = graph.cast %x : tensor<4xf32> to tensor<4xi32>
    // expected-error @below {{output 'i' takes a value that differs from worker to worker and is 'i32'; only floats have a mean: cast it to f32}}
    graph.output "i" = %i : tensor<4xi32>
  }
}
