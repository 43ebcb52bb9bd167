// Rows are looked up where their table lives, if fewer bytes travel then.
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=between-graph" | FileCheck %s
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=in-graph" | FileCheck %s --check-prefix=INGRAPH
// RUN: dtc-opt %s "-dist-placement-pipeline=mode=local" | FileCheck %s --check-prefix=LOCAL

graph.variable @large : tensor<1000x2xf32> = #graph.fill<1.0>
graph.variable @small : tensor<4x2xf32> = #graph.fill<1.0>
graph.variable @shared : tensor<1000x2xf32> = #graph.fill<1.0>

// CHECK-LABEL: graph.func @train
// INGRAPH-LABEL: graph.func @train
// LOCAL-LABEL: graph.func @train
graph.func @train() {
  %ids = graph.input "d" rows 0 to 80 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 9.0>] : tensor<8xi64>
  %large = graph.read @large : tensor<1000x2xf32>
  // CHECK: %rows = graph.gather {{.*}}<serve>, dist.device = #dist.device<ps:0/cpu:0>, dist.reason = #dist.reason<"looks up rows of 'large' where it lives: 384 bytes of indices and rows travel, not 8000">
  // INGRAPH: %rows = graph.gather {{.*}}<step>, dist.device = #dist.device<ps:0/cpu:0>
  // LOCAL: %rows = graph.gather {{.*}}"mode local: everything is in one task"
  %rows = graph.gather %large, %ids axis 0 : tensor<1000x2xf32>, tensor<8xi64>
  // Both look-ups of a table count.
  // CHECK: %again = graph.gather {{.*}}<ps:0/cpu:0>
  %again = graph.gather %large, %ids axis 0 : tensor<1000x2xf32>, tensor<8xi64>
  %small = graph.read @small : tensor<4x2xf32>
  // CHECK: %few = graph.gather {{.*}}<worker:*/cpu:0>
  %few = graph.gather %small, %ids axis 0 : tensor<4x2xf32>, tensor<8xi64>
  // A table that travels anyway is looked up where it goes.
  %shared = graph.read @shared : tensor<1000x2xf32>
  %sum = graph.reduce_sum %shared axes [0, 1] : tensor<1000x2xf32>
  // CHECK: %there = graph.gather {{.*}}<worker:*/cpu:0>
  %there = graph.gather %shared, %ids axis 0 : tensor<1000x2xf32>, tensor<8xi64>
  // A device that was asked for wins.
  // CHECK: %asked = graph.gather {{.*}}<worker:*/cpu:0>
  %asked = graph.gather %large, %ids axis 0 {device = "/job:worker"} : tensor<1000x2xf32>, tensor<8xi64>
  %a = graph.add %rows, %again : tensor<8x2xf32>, tensor<8x2xf32>
  %b = graph.add %few, %there : tensor<8x2xf32>, tensor<8x2xf32>
  %c = graph.add %a, %b : tensor<8x2xf32>, tensor<8x2xf32>
  %d = graph.add %c, %asked : tensor<8x2xf32>, tensor<8x2xf32>
  %loss = graph.reduce_mean %d axes [0, 1] : tensor<8x2xf32>
  %total = graph.add %loss, %sum : tensor<f32>, tensor<f32>
  %rate = graph.constant dense<0.1> : tensor<f32>
  %step = graph.mul %rate, %total : tensor<f32>, tensor<f32>
  %new = graph.sub %small, %step : tensor<4x2xf32>, tensor<f32>
  graph.assign @small, %new : tensor<4x2xf32>
}
