// RUN: dtc-opt %s -split-input-file -verify-diagnostics --plan-verify-closed

// expected-error@+1 {{has range 0 and grain 1; both must be at least 1}}
plan.kernel @k range 0 grain 1 (%x: tensor<2xf32>) {
  plan.yield %x : tensor<2xf32>
}

// -----

// expected-error@+1 {{has range 94, but its body has 8}}
plan.kernel @k range 94 grain 1 (%x: tensor<8xf32>) {
  %y = graph.relu %x : tensor<8xf32>
  plan.yield %y : tensor<8xf32>
}

// -----

// expected-error@+1 {{has 0 replicas; at least 1 is needed}}
plan.entry @e replicas 0 {
}

// -----

// expected-error@+1 {{is left over: a plan holds variables, kernels, code and entries}}
graph.variable @w : tensor<2xf32> = #graph.fill<0.0>

// -----

plan.entry @e replicas 1 {
  plan.program on <local:0> {
    plan.activation step {
      // expected-error@+1 {{has results without bytes; run plan-assign-buffers first}}
      %x = plan.read_feed "x" : tensor<2xf32>
    }
  }
}

// -----

plan.entry @e replicas 1 {
  plan.program on <local:0> {
    plan.activation step {
      %x = plan.read_feed "x" at [0] : tensor<2xf32>
      // expected-error@+1 {{is in no kernel; run plan-form-kernels first}}
      %y = graph.relu %x : tensor<2xf32>
    }
  }
}

// -----

plan.entry @e replicas 1 {
  plan.program on <local:0> {
    plan.activation step {
      %x = plan.read_feed "x" at [0] : tensor<2xf32>
      // expected-error@+1 {{launches 'k', which is no kernel}}
      %y = plan.launch @k(%x) at [64] : (tensor<2xf32>) -> tensor<2xf32>
    }
  }
}

// -----

// expected-note@+1 {{declared here}}
plan.kernel @k range 3 grain 1 (%x: tensor<3xf32>) {
  plan.yield %x : tensor<3xf32>
}
plan.entry @e replicas 1 {
  plan.program on <local:0> {
    plan.activation step {
      %x = plan.read_feed "x" at [0] : tensor<2xf32>
      // expected-error@+1 {{does not have the types of kernel 'k'}}
      %y = plan.launch @k(%x) at [64] : (tensor<2xf32>) -> tensor<2xf32>
    }
  }
}
