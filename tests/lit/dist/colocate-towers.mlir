// Each tower has groups of its own, wherever the towers are (P1).
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=worker=2 mode=in-graph replicas=2" | FileCheck %s

graph.variable @w : tensor<8xf32> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @train
graph.func @train() {
  %x = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<8xf32>
  // CHECK: %h = {{.*}}#dist.device<worker:0/cpu:0>
  // CHECK: %h.r1 = {{.*}}#dist.device<worker:1/cpu:0>
  %h = graph.neg %x : tensor<8xf32>
  // CHECK: %g = {{.*}}#dist.device<worker:0/cpu:0>
  // CHECK: %g.r1 = {{.*}}#dist.device<worker:1/cpu:0>
  %g = graph.exp %h {colocate = ["h"]} : tensor<8xf32>
  // A group with something that all towers share is one group.
  // CHECK: %c = {{.*}}#dist.device<worker:0/cpu:0>
  %c = graph.read @w : tensor<8xf32>
  %d = graph.neg %c : tensor<8xf32>
  // CHECK: %e = {{.*}}#dist.device<worker:0/cpu:0>
  // CHECK: %e.r1 = {{.*}}#dist.device<worker:0/cpu:0>
  %e = graph.mul %g, %d {colocate = ["d"]} : tensor<8xf32>, tensor<8xf32>
  graph.assign @w, %e : tensor<8xf32>
}
