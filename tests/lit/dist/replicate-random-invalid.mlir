// One text for all workers cannot draw for each of them.
// RUN: dtc-opt %s -verify-diagnostics -dist-assign-jobs="cluster=ps=1,worker=2 mode=between-graph" -dist-replicate

graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.variable @n : tensor<i64> = #graph.fill<0.0>
graph.func @train() {
  %step = graph.read @n : tensor<i64>
  // expected-error@+1 {{'noise' differs from worker to worker, which between-graph is not built yet; use mode in-graph, or one worker}}
  %noise = graph.random_uniform %step seed 7 stream "noise" low 0.0 high 1.0 : tensor<4xf32>
  graph.assign @w, %noise : tensor<4xf32>
}
