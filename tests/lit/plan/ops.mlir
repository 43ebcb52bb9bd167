// The whole dialect prints as it parses.
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// CHECK: module @round attributes {plan.jobs = [#plan.job<"ps" = 1 x "cpu">, #plan.job<"worker" = 2 x "cpu">]
module @round attributes {plan.jobs = [#plan.job<"ps" = 1 x "cpu">, #plan.job<"worker" = 2 x "cpu">],
                          plan.mode = #plan.mode<between_graph>, plan.update = #plan.update<sync>} {
  // CHECK: plan.variable @w : tensor<2x2xf32> on <ps:0> = #plan.uniform<-5.000000e-01, 5.000000e-01>
  plan.variable @w : tensor<2x2xf32> on <ps:0> = #plan.uniform<-0.5, 0.5>
  // CHECK: plan.variable @w.slot : tensor<2x2xf32> on <ps:0> = #plan.fill<0.000000e+00> slot
  plan.variable @w.slot : tensor<2x2xf32> on <ps:0> = #plan.fill<0.0> slot
  // CHECK: plan.variable @n : tensor<2xf32> on <ps:0> = #plan.normal<0.000000e+00, 1.000000e+00, true>
  plan.variable @n : tensor<2xf32> on <ps:0> = #plan.normal<0.0, 1.0, true>
  // CHECK: plan.kernel @relu range 2 grain 1 (%{{.*}}: tensor<2x2xf32>) {
  plan.kernel @relu range 2 grain 1 (%x: tensor<2x2xf32>) {
    %y = graph.relu %x : tensor<2x2xf32>
    plan.yield %y : tensor<2x2xf32>
  }
  // CHECK: plan.code "reference" needs []
  plan.code "reference" needs []
  // CHECK: plan.entry @train replicas 2 updates
  plan.entry @train replicas 2 updates {
    // CHECK: plan.feed "x" : tensor<2x2xf32>
    plan.feed "x" : tensor<2x2xf32>
    // CHECK: plan.fetch "y" : tensor<2x2xf32>
    plan.fetch "y" : tensor<2x2xf32>
    // CHECK: plan.edge "w:0 ps:0->worker:*" carries "w" : tensor<2x2xf32> from <ps:0> to <worker:*> because "read"
    plan.edge "w:0 ps:0->worker:*" carries "w" : tensor<2x2xf32> from <ps:0> to <worker:*> because "read"
    // CHECK: plan.edge "v:0 ps:0->worker:*" carries "v" : tensor<2xf32> wire bf16 from
    plan.edge "v:0 ps:0->worker:*" carries "v" : tensor<2xf32> wire bf16 from <ps:0> to <worker:*> because "read"
    // CHECK: plan.program on <worker:*>
    plan.program on <worker:*> {
      // CHECK: plan.activation step arena 64
      plan.activation step arena 64 {
        // CHECK: %[[W:.*]] = plan.recv "w:0 ps:0->worker:*" at [0] : tensor<2x2xf32>
        %w = plan.recv "w:0 ps:0->worker:*" at [0] : tensor<2x2xf32>
        // CHECK: plan.launch @relu(%[[W]]) at [0] after [0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
        %y = plan.launch @relu(%w) at [0] after [0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
        // CHECK: plan.replica_index at [64] : tensor<i64>
        %replica = plan.replica_index at [64] : tensor<i64>
      }
    }
    // CHECK: plan.take "rows" concat at [0] : tensor<4x2xf32>
    // CHECK: plan.take "mean" at [64] : tensor<2x2xf32>
    plan.program on <ps:0> {
      plan.activation apply arena 128 {
        %rows = plan.take "rows" concat at [0] : tensor<4x2xf32>
        %mean = plan.take "mean" at [64] : tensor<2x2xf32>
      }
    }
  }
}
