// RUN: dtc-opt --pass-pipeline='builtin.module(plan.entry(plan.program(plan.activation(plan-assign-buffers))))' %s | FileCheck %s

plan.entry @train replicas 1 {
  plan.program on <local:0> {
    // %c takes over the bytes of %a, which is dead: it waits for all who
    // touched %a, beyond what its own operand says.
    // CHECK-LABEL: plan.activation step arena 128
    plan.activation step {
      // CHECK: plan.read_feed "x" at [0]
      %a = plan.read_feed "x" : tensor<4xf32>
      // CHECK: plan.launch @f(%{{.*}}) at [64]
      %b = plan.launch @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      // CHECK: plan.write_fetch "a"
      plan.write_fetch "a"(%a) : tensor<4xf32>
      // CHECK: plan.launch @f(%{{.*}}) at [0] after [0, 2]
      %c = plan.launch @f(%b) : (tensor<4xf32>) -> tensor<4xf32>
      plan.write_fetch "c"(%c) : tensor<4xf32>
    }
    // A variable's value is its storage: it takes no bytes.
    // CHECK-LABEL: plan.activation apply arena 64
    plan.activation apply {
      // CHECK: plan.load_variable @w : tensor<4xf32>
      %w = plan.load_variable @w : tensor<4xf32>
      // CHECK: plan.launch @f(%{{.*}}) at [0]
      %new = plan.launch @f(%w) : (tensor<4xf32>) -> tensor<4xf32>
      plan.store_variable @w(%new) : tensor<4xf32>
    }
    // Two dead neighbours make room for one larger buffer, which waits for both.
    // CHECK-LABEL: plan.activation serve
    plan.activation serve {
      %a = plan.read_feed "x" : tensor<16xf32>
      %b = plan.read_feed "y" : tensor<16xf32>
      // CHECK: plan.launch @g(%{{.*}}, %{{.*}}) at [128]
      %c = plan.launch @g(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      // CHECK: plan.launch @h(%{{.*}}) at [0] after [0, 1]
      %d = plan.launch @h(%c) : (tensor<16xf32>) -> tensor<32xf32>
      plan.write_fetch "d"(%d) : tensor<32xf32>
    }
  }
}
