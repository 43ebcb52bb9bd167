// RUN: dtc-opt %s -graph-infer-shapes=batch=10 | FileCheck %s
// RUN: dtc-opt %s -graph-infer-shapes | dtc-opt | FileCheck %s --check-prefix=KEPT

graph.variable @w : tensor<12x3xf32> = #graph.glorot_uniform

// Another batch goes from the inputs through every op of a function that
// trains, also through types that the text gives.
// CHECK-LABEL: graph.func @train
// KEPT-LABEL: graph.func @train
graph.func @train() {
  // CHECK-NEXT: graph.input {{.*}} : tensor<10x4x3xf32>, tensor<10xi64>
  // KEPT-NEXT: graph.input {{.*}} : tensor<6x4x3xf32>, tensor<6xi64>
  %x, %label = graph.input "s" rows 0 to 100
      [#graph.column<"x", fields 0 to 12, scale 1.0, range 0.0 to 1.0>,
       #graph.column<"label", fields 12 to 13, scale 1.0, range 0.0 to 2.0>]
      : tensor<6x4x3xf32>, tensor<6xi64>
  %w = graph.read @w : tensor<12x3xf32>
  // CHECK: graph.reshape %x : tensor<10x4x3xf32> to tensor<10x12xf32>
  %flat = graph.reshape %x : tensor<6x4x3xf32> to tensor<6x12xf32>
  // CHECK-NEXT: graph.cast %flat : tensor<10x12xf32> to tensor<10x12xf64>
  %wide = graph.cast %flat : tensor<6x12xf32> to tensor<6x12xf64>
  // CHECK-NEXT: graph.cast
  %narrow = graph.cast %wide : tensor<6x12xf64> to tensor<6x12xf32>
  // CHECK-NEXT: graph.relu %narrow : tensor<10x12xf32>
  %positive = graph.relu %narrow : tensor<6x12xf32>
  // CHECK-NEXT: graph.matmul %positive, %w : tensor<10x12xf32>, tensor<12x3xf32>
  %y = graph.matmul %positive, %w : tensor<6x12xf32>, tensor<12x3xf32>
  // CHECK-NEXT: graph.softmax_cross_entropy %y, %label : tensor<10x3xf32>, tensor<10xi64>
  %losses = graph.softmax_cross_entropy %y, %label : tensor<6x3xf32>, tensor<6xi64>
  // CHECK-NEXT: graph.reduce_mean %losses axes [0] : tensor<10xf32>
  %loss = graph.reduce_mean %losses axes [0] : tensor<6xf32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// A function that does not train keeps its batch.
// CHECK-LABEL: graph.func @eval
graph.func @eval() {
  // CHECK-NEXT: graph.input {{.*}} : tensor<6xi64>
  %label = graph.input "s" rows 0 to 100
      [#graph.column<"label", fields 12 to 13, scale 1.0, range 0.0 to 2.0>]
      : tensor<6xi64>
  graph.output "label" = %label : tensor<6xi64>
}
