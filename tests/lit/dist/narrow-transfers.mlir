// G7: f32 crosses between tasks as bf16 where the module says so; nothing else
// does, and the reason says it.
// RUN: dtc-opt %s -dist-narrow-transfers | FileCheck %s
// RUN: dtc-opt %s -dist-narrow-transfers -dist-split-transfers | FileCheck %s --check-prefix=SPLIT

module attributes {dist.wire_type = bf16} {
  // CHECK-LABEL: graph.func @narrow
  graph.func @narrow() {
    %a0.x, %a0.n = dist.partition on <a:0/cpu:0> step -> ("x" : tensor<4xf32>, "n" : tensor<4xi64>) {
      %x = graph.constant dense<0.0> : tensor<4xf32>
      %n = graph.constant dense<0> : tensor<4xi64>
      dist.yield %x, %n : tensor<4xf32>, tensor<4xi64>
    }
    // CHECK: dist.transfer %a0.x name "x" slot 0 into step reason "why; rounded to bf16 on the way, as was asked" wire bf16 :
    // SPLIT: dist.send %a0.x key "x:0 a:0->b:0" to <b:0/cpu:0> reason "why; rounded to bf16 on the way, as was asked" wire bf16 : !dist.placed<tensor<4xf32>, a:0/cpu:0>
    // SPLIT-NEXT: dist.recv key "x:0 a:0->b:0" from <a:0/cpu:0> wire bf16 : !dist.placed<tensor<4xf32>, b:0/cpu:0>
    %1 = dist.transfer %a0.x name "x" slot 0 into step reason "why" : !dist.placed<tensor<4xf32>, a:0/cpu:0> to !dist.placed<tensor<4xf32>, b:0/cpu:0>
    // Indices are no numbers to round.
    // CHECK-NEXT: dist.transfer %a0.n name "n" slot 1 into step reason "why" :
    // SPLIT-NEXT: dist.send %a0.n {{.*}} reason "why" :
    // SPLIT-NEXT: dist.recv key "n:1 a:0->b:0" from <a:0/cpu:0> :
    %2 = dist.transfer %a0.n name "n" slot 1 into step reason "why" : !dist.placed<tensor<4xi64>, a:0/cpu:0> to !dist.placed<tensor<4xi64>, b:0/cpu:0>
    // Another device of one task is no other place.
    // CHECK-NEXT: dist.transfer %a0.x name "x" slot 0 into step reason "why" :
    %3 = dist.transfer %a0.x name "x" slot 0 into step reason "why" : !dist.placed<tensor<4xf32>, a:0/cpu:0> to !dist.placed<tensor<4xf32>, a:0/cpu:1>
    dist.partition on <b:0/cpu:0> step ("x" = %1 as %x: tensor<4xf32> from <a:0/cpu:0>, "n" = %2 as %n: tensor<4xi64> from <a:0/cpu:0> slot 1) { dist.yield }
    dist.partition on <a:0/cpu:1> step ("x" = %3 as %x: tensor<4xf32> from <a:0/cpu:0>) { dist.yield }
  }
}
