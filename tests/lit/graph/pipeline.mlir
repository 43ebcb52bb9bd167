// The whole pipeline closes the example, and each phase's text is a graph file.
// RUN: dtc-opt %examples/digits/digits.mlir -graph-pipeline -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: dtc-opt %t.mlir -graph-verify-closed | diff %t.mlir -
// RUN: dtc-opt %t.mlir -graph-pipeline | diff %t.mlir -
// RUN: dtc-opt %examples/digits/digits.mlir -graph-pipeline=batch=15 | FileCheck %s --check-prefix=BATCH

// CHECK-LABEL: module @digits
// CHECK: graph.variable @w1.momentum : tensor<64x64xf32> = #graph.fill<0.000000e+00> slot
// CHECK-LABEL: graph.func @train
// CHECK: %b2.grad = graph.reduce_sum
// CHECK: %w2.grad = graph.matmul %h, {{.*}} transpose_a
// CHECK: %w1.grad = graph.matmul %pixels, %h1.grad transpose_a
// Nobody needs the gradient of the pixels.
// CHECK-NOT: pixels.grad
// CHECK: graph.assign @w1, %w1.new
// CHECK-LABEL: graph.func @eval
// CHECK: graph.output "accuracy" = %accuracy
// CHECK-LABEL: graph.func @predict(%x: tensor<1x64xf32>)

// BATCH: graph.input {{.*}} : tensor<15x64xf32>, tensor<15xi64>
// BATCH: dense<0.0666666701> : tensor<15x1xf32>
// BATCH-LABEL: graph.func @eval
// BATCH: : tensor<297x64xf32>, tensor<297xi64>
