// What crosses as what is asked for once, of dist-assign-jobs, and off by default
// (G7).
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=1,worker=2 mode=between-graph" | FileCheck %s --check-prefix=WHOLE
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=1,worker=2 mode=between-graph wire-type=f32" | FileCheck %s --check-prefix=WHOLE
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=1,worker=2 mode=between-graph wire-type=bf16" | FileCheck %s
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=1,worker=2 mode=between-graph wire-type=bf16" -dist-partition-pipeline | FileCheck %s --check-prefix=PARTITION
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=1,worker=2 mode=between-graph wire-type=bf16" -dist-partition-pipeline -convert-dist-to-plan | FileCheck %s --check-prefix=PLAN
// RUN: not dtc-opt %s -dist-assign-jobs="cluster=ps=1,worker=2 mode=between-graph wire-type=f16" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: dtc-opt %s -dist-placement-pipeline="cluster=ps=1,worker=2 mode=between-graph wire-type=bf16" | sed 's/dist.wire_type = bf16/dist.wire_type = f16/' > %t.mlir
// RUN: not dtc-opt %t.mlir -dist-partition-pipeline 2>&1 | FileCheck %s --check-prefix=EDITED

// WHOLE-NOT: dist.wire_type
// CHECK: module {{.*}}dist.wire_type = bf16
// PARTITION: dist.send {{.*}} key "x:0 worker:0->ps:0" {{.*}} wire bf16 :
// PARTITION-NEXT: dist.recv key "x:0 worker:0->ps:0" {{.*}} wire bf16 :
// PLAN-NOT: dist.wire_type
// PLAN: plan.edge "x:0 worker:0->ps:0" carries "x" : tensor<4xf32> wire bf16 from <worker:0> to <ps:0> because "{{.*}}; rounded to bf16 on the way, as was asked"
// OTHER: there is no wire type 'f16'; f32 crosses as bf16 or as f32
// EDITED: dist.wire_type is 'f16'; f32 crosses as bf16, or as it is without it
graph.variable @w : tensor<4xf32> = #graph.fill<0.0>
graph.func @train(%x: tensor<4xf32>) {
  %w = graph.read @w : tensor<4xf32>
  %y = graph.mul %w, %x : tensor<4xf32>, tensor<4xf32>
  graph.assign @w, %y : tensor<4xf32>
}
