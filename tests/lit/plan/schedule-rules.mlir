// G13: which sends need no company, and which texts keep their order.
// RUN: dtc-opt --plan-schedule %s | FileCheck %s

// What is worth a batch by itself goes at once, though nobody waits for it; "in"
// has the same moment and is declared first. What is only passed on waits for
// nothing but its turn.
// CHECK-LABEL: plan.entry @bulk
plan.entry @bulk replicas 1 {
  plan.edge "in" carries "in" : tensor<2xf32> from <worker:1> to <worker:0> because ""
  plan.edge "on" carries "on" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.edge "small" carries "small" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.edge "bulk" carries "bulk" : tensor<30000xf32> from <worker:0> to <worker:1> because ""
  plan.program on <worker:0> {
    // CHECK: plan.load_variable @big
    // CHECK-NEXT: %[[IN:.*]] = plan.recv "in"
    // CHECK-NEXT: plan.send "bulk"
    // CHECK-NEXT: plan.load_variable @w
    // CHECK-NEXT: plan.launch @a
    // CHECK-NEXT: plan.launch @b
    // CHECK-NEXT: plan.send "small"
    // CHECK-NEXT: plan.send "on"(%[[IN]])
    plan.activation step {
      %in = plan.recv "in" : tensor<2xf32>
      plan.send "on"(%in) : tensor<2xf32>
      %w = plan.load_variable @w : tensor<2xf32>
      %a = plan.launch @a(%w) : (tensor<2xf32>) -> tensor<2xf32>
      %b = plan.launch @b(%a) : (tensor<2xf32>) -> tensor<2xf32>
      plan.send "small"(%b) : tensor<2xf32>
      %big = plan.load_variable @big : tensor<30000xf32>
      plan.send "bulk"(%big) : tensor<30000xf32>
    }
  }
  plan.program on <worker:1> {
    // Receives that nobody reads are kept, in their turns.
    // CHECK: plan.activation step
    // CHECK: plan.send "in"
    // CHECK-NEXT: plan.recv "bulk"
    // CHECK-NEXT: plan.recv "small"
    // CHECK-NEXT: plan.recv "on"
    plan.activation step {
      %w = plan.load_variable @v : tensor<2xf32>
      plan.send "in"(%w) : tensor<2xf32>
      %on = plan.recv "on" : tensor<2xf32>
      %small = plan.recv "small" : tensor<2xf32>
      %bulk = plan.recv "bulk" : tensor<30000xf32>
    }
  }
}

// A text that says what runs after what means its order.
// CHECK-LABEL: plan.entry @after
plan.entry @after replicas 1 {
  plan.edge "e" carries "e" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.program on <worker:0> {
    // CHECK: plan.launch @a
    // CHECK-NEXT: plan.send "e"
    plan.activation step {
      %w = plan.load_variable @w : tensor<2xf32>
      %a = plan.launch @a(%w) : (tensor<2xf32>) -> tensor<2xf32>
      plan.send "e"(%w) after [1] : tensor<2xf32>
    }
  }
  plan.program on <worker:1> {
    // CHECK: plan.recv "e"
    // CHECK-NEXT: plan.load_variable @v
    plan.activation step {
      %e = plan.recv "e" : tensor<2xf32>
      %v = plan.load_variable @v : tensor<2xf32>
      %s = plan.launch @s(%e, %v) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    }
  }
}

// So does one whose calls are not in the order of its edges.
// CHECK-LABEL: plan.entry @edited
plan.entry @edited replicas 1 {
  plan.edge "e" carries "e" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.edge "f" carries "f" : tensor<2xf32> from <worker:0> to <worker:1> because ""
  plan.program on <worker:0> {
    // CHECK: plan.launch @a
    // CHECK-NEXT: plan.send "f"
    // CHECK-NEXT: plan.send "e"
    plan.activation step {
      %w = plan.load_variable @w : tensor<2xf32>
      %a = plan.launch @a(%w) : (tensor<2xf32>) -> tensor<2xf32>
      plan.send "f"(%a) : tensor<2xf32>
      plan.send "e"(%w) : tensor<2xf32>
    }
  }
  plan.program on <worker:1> {
    plan.activation step {
      %e = plan.recv "e" : tensor<2xf32>
      %f = plan.recv "f" : tensor<2xf32>
    }
  }
}
