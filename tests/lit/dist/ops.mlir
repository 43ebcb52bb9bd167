// Every op, attribute and type of dist prints as it is read.
// RUN: dtc-opt %s | FileCheck %s
// RUN: dtc-opt %s -o %t && dtc-opt %t -o %t.again && cmp %t %t.again

// CHECK: module attributes {dist.cluster = #dist.cluster<ps = 1, worker = 2>, dist.mode = #dist.mode<between_graph>, dist.update = #dist.update<sync>}
module attributes {
  dist.cluster = #dist.cluster<ps = 1, worker = 2>,
  dist.mode = #dist.mode<between_graph>,
  dist.update = #dist.update<sync>
} {
  // CHECK: dist.device = #dist.device<ps:0/cpu:0>, dist.reason = #dist.reason<"a \22reason\22">
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0> {dist.device = #dist.device<ps:0/cpu:0>, dist.reason = #dist.reason<"a \"reason\"">}

  graph.func @train(%x: tensor<4xf32>) {
    // Results carry their names in the graph, and the device in their types.
    // CHECK: %ps0.w = dist.partition on <ps:0/cpu:0> serve
    // CHECK-NEXT: -> ("w" : tensor<4xf32>) {
    // CHECK-NEXT: %w = graph.read @w
    // CHECK-NEXT: dist.yield %w : tensor<4xf32>
    %ps0.w = dist.partition on <ps:0/cpu:0> serve -> ("w" : tensor<4xf32>) {
      %w = graph.read @w : tensor<4xf32>
      dist.yield %w : tensor<4xf32>
    }
    // CHECK: dist.send %ps0.w key "w:0 ps:0->worker:*" to <worker:*/cpu:0> reason "why" : !dist.placed<tensor<4xf32>, ps:0/cpu:0>
    dist.send %ps0.w key "w:0 ps:0->worker:*" to <worker:*/cpu:0> reason "why" : !dist.placed<tensor<4xf32>, ps:0/cpu:0>
    // CHECK: %worker.w = dist.recv key "w:0 ps:0->worker:*" from <ps:0/cpu:0> : !dist.placed<tensor<4xf32>, worker:*/cpu:0>
    %worker.w = dist.recv key "w:0 ps:0->worker:*" from <ps:0/cpu:0> : !dist.placed<tensor<4xf32>, worker:*/cpu:0>

    // A feed is taken as it is; lists of several stand one a line.
    // CHECK: %worker.g, %worker.h = dist.partition on <worker:*/cpu:0> step
    // CHECK-NEXT: (
    // CHECK-NEXT: "w" = %worker.w as %w: tensor<4xf32> from <ps:0/cpu:0> slot 1,
    // CHECK-NEXT: "x" = %x as %x_{{[0-9]+}}: tensor<4xf32> feed)
    // CHECK-NEXT: -> (
    // CHECK-NEXT: "g" : tensor<4xf32>,
    // CHECK-NEXT: "h" : tensor<4xf32>) {
    %worker.g, %worker.h = dist.partition on <worker:*/cpu:0> step
        ("w" = %worker.w as %w: tensor<4xf32> from <ps:0/cpu:0> slot 1, "x" = %x as %x_0: tensor<4xf32> feed)
        -> ("g" : tensor<4xf32>, "h" : tensor<4xf32>) {
      %g = graph.add %w, %x_0 : tensor<4xf32>, tensor<4xf32>
      %h = graph.neg %g : tensor<4xf32>
      dist.yield %g, %h : tensor<4xf32>, tensor<4xf32>
    }
    // What was made on the own device needs no `from`.
    // CHECK: dist.partition on <worker:*/cpu:0> step
    // CHECK-NEXT: ("h" = %worker.h as %h: tensor<4xf32> slot 1) {
    dist.partition on <worker:*/cpu:0> step ("h" = %worker.h as %h: tensor<4xf32> slot 1) {
      dist.yield
    }
    // CHECK: %ps0.g = dist.transfer %worker.g name "g" slot 0 into serve reason "why" : !dist.placed<tensor<4xf32>, worker:*/cpu:0> to !dist.placed<tensor<4xf32>, ps:0/cpu:0>
    %ps0.g = dist.transfer %worker.g name "g" slot 0 into serve reason "why" : !dist.placed<tensor<4xf32>, worker:*/cpu:0> to !dist.placed<tensor<4xf32>, ps:0/cpu:0>
    dist.partition on <ps:0/cpu:0> serve ("g" = %ps0.g as %g: tensor<4xf32> from <worker:*/cpu:0>) {
      // CHECK: dist.accumulate %g into "g" : tensor<4xf32>
      dist.accumulate %g into "g" : tensor<4xf32>
      // CHECK: dist.accumulate %g into "rows" concat : tensor<4xf32>
      dist.accumulate %g into "rows" concat : tensor<4xf32>
      dist.yield
    }
    // CHECK: dist.partition on <ps:0/cpu:0> apply {
    dist.partition on <ps:0/cpu:0> apply {
      // CHECK: %g.mean = dist.take "g" policy sync : tensor<4xf32>
      %g.mean = dist.take "g" policy sync : tensor<4xf32>
      // CHECK: %g.all = dist.take "rows" policy sync concat : tensor<8xf32>
      %g.all = dist.take "rows" policy sync concat : tensor<8xf32>
      graph.assign @w, %g.mean : tensor<4xf32>
      dist.yield
    }
    // What is rounded on its way.
    // CHECK: dist.send {{.*}} reason "why" wire bf16 :
    dist.send %ps0.w key "w:0 ps:0->worker:* #2" to <worker:*/cpu:0> reason "why" wire bf16 : !dist.placed<tensor<4xf32>, ps:0/cpu:0>
    // CHECK: dist.recv key "w:0 ps:0->worker:* #2" from <ps:0/cpu:0> wire bf16 :
    %w2 = dist.recv key "w:0 ps:0->worker:* #2" from <ps:0/cpu:0> wire bf16 : !dist.placed<tensor<4xf32>, worker:*/cpu:0>
  }
}
