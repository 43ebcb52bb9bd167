// What another task computes comes late; no kernel that others read waits for it.
// RUN: dtc-opt %s -plan-form-kernels | FileCheck %s

// CHECK-LABEL: plan.entry @mean
plan.entry @mean replicas 1 {
  plan.edge "other" carries "other" : tensor<4xf32> from <worker:1> to <worker:0> because ""
  plan.edge "w" carries "w" : tensor<4xf32> from <worker:1> to <worker:0> because ""
  plan.program on <worker:0> {
    // CHECK: plan.activation step
    plan.activation step {
      %x = plan.load_variable @x : tensor<4xf32>
      %w = plan.recv "w" : tensor<4xf32>
      %other = plan.recv "other" : tensor<4xf32>
      // A variable of another task is there when the step begins.
      // CHECK: %[[OWN:.*]]:2 = plan.launch @mul_exp_neg(
      %wx = graph.mul %x, %w : tensor<4xf32>, tensor<4xf32>
      %own = graph.exp %wx : tensor<4xf32>
      // CHECK-NEXT: plan.launch @add(%[[OWN]]#0, %{{.*}})
      %sum = graph.add %own, %other : tensor<4xf32>, tensor<4xf32>
      %back = graph.neg %own : tensor<4xf32>
      // CHECK-NEXT: plan.store_variable @x(%[[OWN]]#1)
      plan.store_variable @x(%back) : tensor<4xf32>
      plan.write_fetch "sum"(%sum) : tensor<4xf32>
      // Nobody else reads what must wait here.
      // CHECK-NEXT: plan.write_fetch
      // CHECK-NEXT: plan.launch @exp_sub(
      %e = graph.exp %x : tensor<4xf32>
      %d = graph.sub %e, %other : tensor<4xf32>, tensor<4xf32>
      plan.write_fetch "d"(%d) : tensor<4xf32>
    }
  }
  plan.program on <worker:1> {
    plan.activation step {
      %v = plan.load_variable @v : tensor<4xf32>
      plan.send "w"(%v) : tensor<4xf32>
      %t = graph.tanh %v : tensor<4xf32>
      plan.send "other"(%t) : tensor<4xf32>
    }
  }
}
