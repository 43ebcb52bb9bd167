// RUN: dtc-opt --kernel-lower-to-host %s | FileCheck %s

// Eight rows of eight are transposed in registers; elements move as bits.
// CHECK-LABEL: llvm.func @transpose
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr -> vector<8xi32>
// CHECK: vector.shuffle
// CHECK-COUNT-8: llvm.store %{{.*}} : vector<8xi32>, !llvm.ptr
// CHECK-NOT: f32
plan.kernel @transpose range 1 grain 1 (%x: tensor<16x64xf32>) {
  %0 = graph.transpose %x perm [1, 0] : tensor<16x64xf32>
  plan.yield %0 : tensor<64x16xf32>
}

// One unit of each operand: no division, whole lines.
// CHECK-LABEL: llvm.func @concat
// CHECK-NOT: arith.rem
// CHECK-NOT: arith.div
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xi32>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xi32>
plan.kernel @concat range 2 grain 2 (%x: tensor<4x32xf32>, %y: tensor<4x16xf32>) {
  %0 = graph.concat %x, %y axis 1 : tensor<4x32xf32>, tensor<4x16xf32>
  plan.yield %0 : tensor<4x48xf32>
}

// A result that nobody reads is not computed; results may differ in shape.
// CHECK-LABEL: llvm.func @split
// CHECK-COUNT-2: llvm.store
// CHECK-NOT: llvm.store
// CHECK: llvm.return
plan.kernel @split range 2 grain 2 (%x: tensor<4xf32>) {
  %0, %1, %2 = graph.split %x axis 0 sizes [1, 1, 2] : tensor<4xf32>
  plan.yield %0, %2 : tensor<1xf32>, tensor<2xf32>
}

// An index outside of the table, or a negative one, reads zeros, and nothing
// beyond the table.
// CHECK-LABEL: llvm.func @gather
// CHECK: %[[COUNT:.*]] = arith.constant 9 : i64
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDEX:.*]], %[[COUNT]]
// CHECK: arith.select %[[INSIDE]], %[[INDEX]],
// CHECK: %[[ROW:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<16xi32>
// CHECK: arith.select %[[INSIDE]], %[[ROW]],
plan.kernel @gather range 1 grain 1 (%x: tensor<9x16xf32>, %i: tensor<7xi64>) {
  %0 = graph.gather %x, %i axis 0 : tensor<9x16xf32>, tensor<7xi64>
  plan.yield %0 : tensor<7x16xf32>
}
