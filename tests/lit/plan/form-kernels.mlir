// RUN: dtc-opt %s -plan-form-kernels | FileCheck %s

// A kernel is called after its ops, but not like a variable.
plan.variable @relu : tensor<4xf32> on <local:0> = #plan.fill<1.0>

// The constant goes along into each kernel that reads it.
// CHECK: plan.kernel @relu_1 {{.*}}(%{{.*}}: tensor<4xf32>)
// CHECK: plan.kernel @mul {{.*}}(%{{.*}}: tensor<4xf32>)
// CHECK-NEXT: graph.constant dense<2.0
// CHECK-NEXT: graph.mul
// A splat goes along as one element; what walks all of them gets a kernel's
// result.
// CHECK: plan.kernel @constant {{.*}}() {
// CHECK: plan.kernel @reduce_sum {{.*}}(%{{.*}}: tensor<8xf32>)
// CHECK-NEXT: graph.reduce_sum
// CHECK-NOT: plan.kernel

// CHECK-LABEL: plan.entry @f
plan.entry @f replicas 1 {
  plan.program on <local:0> {
    // CHECK: plan.activation step
    plan.activation step {
      // CHECK-NEXT: plan.load_variable
      %x = plan.load_variable @relu : tensor<4xf32>
      // CHECK-NEXT: plan.launch @relu_1
      %y = graph.relu %x : tensor<4xf32>
      // CHECK-NEXT: plan.write_fetch
      plan.write_fetch "y"(%y) : tensor<4xf32>
      %two = graph.constant dense<2.0> : tensor<f32>
      // CHECK-NEXT: plan.launch @mul
      %z = graph.mul %x, %two : tensor<4xf32>, tensor<f32>
      // CHECK-NEXT: plan.write_fetch
      plan.write_fetch "z"(%z) : tensor<4xf32>
      %many = graph.constant dense<3.0> : tensor<8xf32>
      // CHECK-NEXT: %[[MANY:.*]] = plan.launch @constant
      // CHECK-NEXT: plan.launch @reduce_sum(%[[MANY]])
      %sum = graph.reduce_sum %many axes [0] : tensor<8xf32>
      plan.write_fetch "sum"(%sum) : tensor<f32>
      // What nobody reads is dropped, and so is what only it reads.
      %lost = graph.exp %x : tensor<4xf32>
      %dead = graph.neg %lost : tensor<4xf32>
    }
    plan.activation apply {
      %x = plan.load_variable @relu : tensor<4xf32>
      // An equal computation is the same kernel.
      // CHECK: plan.launch @relu_1
      %y = graph.relu %x : tensor<4xf32>
      // CHECK-NEXT: plan.store_variable
      plan.store_variable @relu(%y) : tensor<4xf32>
    }
  }
}
