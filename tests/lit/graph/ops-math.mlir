// Element-wise ops read back as they print.
// RUN: dtc-opt %s | FileCheck %s
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// CHECK-LABEL: graph.func @one_operand
graph.func @one_operand(%x: tensor<4x3xf32>, %c: tensor<4x3xi1>) {
  // CHECK-NEXT: %abs = graph.abs %x : tensor<4x3xf32>
  %abs = graph.abs %x : tensor<4x3xf32>
  // CHECK-NEXT: %neg = graph.neg %x : tensor<4x3xf32>
  %neg = graph.neg %x : tensor<4x3xf32>
  // CHECK-NEXT: %sign = graph.sign %x : tensor<4x3xf32>
  %sign = graph.sign %x : tensor<4x3xf32>
  // CHECK-NEXT: %floor = graph.floor %x : tensor<4x3xf32>
  %floor = graph.floor %x : tensor<4x3xf32>
  // CHECK-NEXT: %ceil = graph.ceil %x : tensor<4x3xf32>
  %ceil = graph.ceil %x : tensor<4x3xf32>
  // CHECK-NEXT: %exp = graph.exp %x : tensor<4x3xf32>
  %exp = graph.exp %x : tensor<4x3xf32>
  // CHECK-NEXT: %log = graph.log %x : tensor<4x3xf32>
  %log = graph.log %x : tensor<4x3xf32>
  // CHECK-NEXT: %sqrt = graph.sqrt %x : tensor<4x3xf32>
  %sqrt = graph.sqrt %x : tensor<4x3xf32>
  // CHECK-NEXT: %rsqrt = graph.rsqrt %x : tensor<4x3xf32>
  %rsqrt = graph.rsqrt %x : tensor<4x3xf32>
  // CHECK-NEXT: %sin = graph.sin %x : tensor<4x3xf32>
  %sin = graph.sin %x : tensor<4x3xf32>
  // CHECK-NEXT: %cos = graph.cos %x : tensor<4x3xf32>
  %cos = graph.cos %x : tensor<4x3xf32>
  // CHECK-NEXT: %tanh = graph.tanh %x : tensor<4x3xf32>
  %tanh = graph.tanh %x : tensor<4x3xf32>
  // CHECK-NEXT: %sigmoid = graph.sigmoid %x : tensor<4x3xf32>
  %sigmoid = graph.sigmoid %x : tensor<4x3xf32>
  // CHECK-NEXT: %erf = graph.erf %x : tensor<4x3xf32>
  %erf = graph.erf %x : tensor<4x3xf32>
  // CHECK-NEXT: %softplus = graph.softplus %x : tensor<4x3xf32>
  %softplus = graph.softplus %x : tensor<4x3xf32>
  // CHECK-NEXT: %relu = graph.relu %x : tensor<4x3xf32>
  %relu = graph.relu %x : tensor<4x3xf32>
  // CHECK-NEXT: %relu6 = graph.relu6 %x : tensor<4x3xf32>
  %relu6 = graph.relu6 %x : tensor<4x3xf32>
  // CHECK-NEXT: %elu = graph.elu %x : tensor<4x3xf32>
  %elu = graph.elu %x : tensor<4x3xf32>
  // CHECK-NEXT: %square = graph.square %x : tensor<4x3xf32>
  %square = graph.square %x : tensor<4x3xf32>
  // CHECK-NEXT: %gelu = graph.gelu %x : tensor<4x3xf32>
  %gelu = graph.gelu %x : tensor<4x3xf32>
  // CHECK-NEXT: %gelu_tanh = graph.gelu %x approximate : tensor<4x3xf32>
  %gelu_tanh = graph.gelu %x approximate : tensor<4x3xf32>
  // CHECK-NEXT: %leaky = graph.leaky_relu %x alpha 2.000000e-01 : tensor<4x3xf32>
  %leaky = graph.leaky_relu %x alpha 2.0e-01 : tensor<4x3xf32>
  // CHECK-NEXT: %clip = graph.clip %x from -1.000000e+00 to 1.000000e+00 : tensor<4x3xf32>
  %clip = graph.clip %x from -1.0 to 1.0 : tensor<4x3xf32>
  // CHECK-NEXT: %not = graph.logical_not %c : tensor<4x3xi1>
  %not = graph.logical_not %c : tensor<4x3xi1>
}
