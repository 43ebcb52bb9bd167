// RUN: dtc-opt --pass-pipeline='builtin.module(plan-schedule)' %s | FileCheck %s

plan.entry @train replicas 1 updates {
  plan.program on <local:0> {
    // A store goes last and waits for whatever reads the variable in place,
    // also where the text has the reader behind it.
    // CHECK-LABEL: plan.activation step
    plan.activation step {
      // CHECK: %[[W:.*]] = plan.load_variable @w
      %w = plan.load_variable @w : tensor<2xf32>
      // CHECK: %[[NEW:.*]] = plan.launch @update(%[[W]])
      %new = plan.launch @update(%w) : (tensor<2xf32>) -> tensor<2xf32>
      plan.store_variable @w(%new) : tensor<2xf32>
      // CHECK: plan.write_fetch "before"(%[[W]])
      plan.write_fetch "before"(%w) : tensor<2xf32>
      // CHECK: plan.store_variable @w(%[[NEW]]) after [1, 2]
    }
    // A variable that nobody reads is stored at once.
    // CHECK-LABEL: plan.activation apply
    plan.activation apply {
      %g = plan.take "g" : tensor<2xf32>
      // CHECK: plan.store_variable @w(%{{.*}}) : tensor<2xf32>
      plan.store_variable @w(%g) : tensor<2xf32>
    }
  }
}
