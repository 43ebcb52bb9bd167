// RUN: dtc-opt --kernel-lower-to-host -split-input-file -verify-diagnostics %s

plan.kernel @k range 1 grain 1 (%x: tensor<4xf32>) {
  %0 = graph.relu %x : tensor<4xf32>
  // expected-error@+1 {{reads a value that its own kernel computes; it must be an input of the kernel}}
  %1 = graph.reduce_sum %0 axes [0] : tensor<4xf32>
  plan.yield %1 : tensor<f32>
}

// -----

plan.kernel @k range 1 grain 1 (%x: tensor<4xf32>) {
  // expected-note@+1 {{the kernel's root is here}}
  %0 = graph.reduce_max %x axes [0] : tensor<4xf32>
  // expected-error@+1 {{cannot share a kernel with another root}}
  %1 = graph.reduce_sum %x axes [0] : tensor<4xf32>
  plan.yield %0, %1 : tensor<f32>, tensor<f32>
}

// -----

plan.kernel @k range 1 grain 1 (%x: tensor<4xf32>, %y: tensor<2xf32>) {
  %0 = graph.relu %x : tensor<4xf32>
  %1 = graph.relu %y : tensor<2xf32>
  // expected-error@+1 {{a kernel's results have one shape, but 'tensor<2xf32>' is another than that of 'tensor<4xf32>'}}
  plan.yield %0, %1 : tensor<4xf32>, tensor<2xf32>
}

// -----

plan.kernel @k range 1 grain 1 (%x: tensor<4x2xf32>) {
  // expected-error@+1 {{must be alone in its kernel}}
  %0 = graph.transpose %x perm [1, 0] : tensor<4x2xf32>
  %1 = graph.relu %0 : tensor<2x4xf32>
  plan.yield %1 : tensor<2x4xf32>
}
