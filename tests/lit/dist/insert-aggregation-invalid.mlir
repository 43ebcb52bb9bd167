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

// -----
// A scalar has no rows to put one behind the other.
module attributes {dist.cluster = #dist.cluster<worker = 2>, dist.mode = #dist.mode<between_graph>} {
  graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
  graph.func @train(%g: tensor<2xf32>) {
    %ids = graph.input "set" at "set.csv" rows 0 to 90 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 8.0>] : tensor<6xi64>
    %id = graph.reduce_max %ids axes [0] : tensor<6xi64>
    %t = graph.read @t : tensor<9x2xf32>
    // expected-error@+1 {{'t.new' takes a value that differs from worker to worker and is a scalar; graph.rows names operands that have rows}}
    %t.new = graph.scatter_add %t, %id, %g {graph.rows = array<i64: 1, 2>, graph.update = @t} : tensor<9x2xf32>, tensor<i64>, tensor<2xf32>
    graph.assign @t, %t.new : tensor<9x2xf32>
  }
}
