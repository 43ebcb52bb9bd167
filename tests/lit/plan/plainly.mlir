// How verify asks what an earlier text is worth: no op is fused with another,
// no bytes serve twice.
// RUN: dtc-opt %s --pass-pipeline='builtin.module(plan-form-kernels{fuse=false})' | FileCheck %s --check-prefix=KERNELS
// RUN: dtc-opt %s --pass-pipeline='builtin.module(plan-form-kernels{fuse=false},plan.entry(plan.program(plan.activation(plan-assign-buffers{reuse=false}))))' | FileCheck %s --check-prefix=BYTES

// KERNELS: plan.kernel @relu
// KERNELS: plan.kernel @neg
// KERNELS: plan.kernel @square
// KERNELS: plan.launch @relu
// KERNELS-NEXT: plan.launch @neg
// KERNELS-NEXT: plan.launch @square

// BYTES: plan.activation step arena 256
// BYTES: plan.read_feed "x" at [0]
// BYTES: plan.launch @relu{{.*}} at [64]
// BYTES: plan.launch @neg{{.*}} at [128]
// BYTES: plan.launch @square{{.*}} at [192]
plan.entry @f replicas 1 {
  plan.program on <local:0> {
    plan.activation step {
      %x = plan.read_feed "x" : tensor<4xf32>
      %a = graph.relu %x : tensor<4xf32>
      %b = graph.neg %a : tensor<4xf32>
      %c = graph.square %b : tensor<4xf32>
      plan.write_fetch "c"(%c) : tensor<4xf32>
    }
  }
}
