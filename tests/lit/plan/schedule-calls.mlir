// G13: calls (sends and receives) go in one order for all tasks, that of the
// moments when their values can be there; a send goes before anybody would wait
// for it, a receive as late as it can.
// RUN: dtc-opt --plan-schedule %s | FileCheck %s

// CHECK-LABEL: plan.entry @train
plan.entry @train replicas 1 {
  plan.edge "slow" carries "slow" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.edge "idle" carries "idle" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.edge "quick" carries "quick" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.edge "back" carries "back" : tensor<2xf32> from <worker:1> to <worker:0> because ""
  plan.program on <worker:0> {
    // The whole step waits for "quick": it goes at once. Nobody waits for "idle"
    // yet: it goes with "slow". What no send needs comes behind them.
    // CHECK: plan.activation step
    // CHECK-NEXT: %[[W:.*]] = plan.load_variable @w
    // CHECK-NEXT: plan.send "quick"(%[[W]])
    // CHECK-NEXT: %[[IDLE:.*]] = plan.launch @idle(%[[W]])
    // CHECK-NEXT: %[[PART:.*]] = plan.launch @part(%[[W]])
    // CHECK-NEXT: %[[SLOW:.*]] = plan.launch @slow(%[[PART]])
    // CHECK-NEXT: plan.send "idle"(%[[IDLE]])
    // CHECK-NEXT: plan.send "slow"(%[[SLOW]])
    // CHECK-NEXT: %[[MINE:.*]] = plan.launch @mine(%[[W]])
    // CHECK-NEXT: %[[BACK:.*]] = plan.recv "back"
    // CHECK-NEXT: %[[OUT:.*]] = plan.launch @out(%[[MINE]], %[[BACK]])
    // CHECK-NEXT: plan.write_fetch "out"(%[[OUT]])
    plan.activation step {
      %w = plan.load_variable @w : tensor<2xf32>
      %mine = plan.launch @mine(%w) : (tensor<2xf32>) -> tensor<2xf32>
      %part = plan.launch @part(%w) : (tensor<2xf32>) -> tensor<2xf32>
      %slow = plan.launch @slow(%part) : (tensor<2xf32>) -> tensor<2xf32>
      plan.send "slow"(%slow) : tensor<2xf32>
      %idle = plan.launch @idle(%w) : (tensor<2xf32>) -> tensor<2xf32>
      plan.send "idle"(%idle) : tensor<2xf32>
      plan.send "quick"(%w) : tensor<2xf32>
      %back = plan.recv "back" : tensor<2xf32>
      %out = plan.launch @out(%mine, %back) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      plan.write_fetch "out"(%out) : tensor<2xf32>
    }
  }
  plan.program on <worker:1> {
    // "idle" comes before "slow", also where only "slow" is needed.
    // CHECK: plan.activation step
    // CHECK-NEXT: %[[QUICK:.*]] = plan.recv "quick"
    // CHECK-NEXT: %[[BACK:.*]] = plan.launch @back(%[[QUICK]])
    // CHECK-NEXT: %[[IDLE:.*]] = plan.recv "idle"
    // CHECK-NEXT: %[[SLOW:.*]] = plan.recv "slow"
    // CHECK-NEXT: plan.send "back"(%[[BACK]])
    // CHECK-NEXT: %[[USE:.*]] = plan.launch @use(%[[SLOW]])
    // CHECK-NEXT: %[[SUM:.*]] = plan.launch @sum(%[[USE]], %[[IDLE]])
    // CHECK-NEXT: plan.write_fetch "sum"(%[[SUM]])
    plan.activation step {
      %slow = plan.recv "slow" : tensor<2xf32>
      %use = plan.launch @use(%slow) : (tensor<2xf32>) -> tensor<2xf32>
      %idle = plan.recv "idle" : tensor<2xf32>
      %quick = plan.recv "quick" : tensor<2xf32>
      %back = plan.launch @back(%quick) : (tensor<2xf32>) -> tensor<2xf32>
      plan.send "back"(%back) : tensor<2xf32>
      %sum = plan.launch @sum(%use, %idle) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      plan.write_fetch "sum"(%sum) : tensor<2xf32>
    }
  }
}
