// RUN: dtc-opt --kernel-lower-to-host %s | FileCheck %s
// RUN: dtc-opt --kernel-lower-to-host=vector-bits=256 %s | FileCheck %s --check-prefix=NARROW

// A row of 16 elements is walked in vectors, the rest one by one; each op
// rounds on its own (no flag, no fused multiply-add).
// CHECK-LABEL: llvm.func @scale_add(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
plan.kernel @scale_add range 100 grain 100 (%x: tensor<100xf32>, %y: tensor<100xf32>) {
  %0 = graph.mul %x, %y : tensor<100xf32>, tensor<100xf32>
  %1 = graph.add %0, %y : tensor<100xf32>, tensor<100xf32>
  plan.yield %1 : tensor<100xf32>
}

// Five rows times two registers stay in registers over the inner dimension.
// CHECK-LABEL: llvm.func @matmul
// CHECK: scf.for %{{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) : i64 {
// CHECK-COUNT-10: math.fma %{{.*}} : vector<16xf32>
// NARROW-LABEL: llvm.func @matmul
// NARROW: math.fma %{{.*}} : vector<8xf32>
plan.kernel @matmul range 1 grain 1 (%a: tensor<5x7xf32>, %b: tensor<7x32xf32>) {
  %0 = graph.matmul %a, %b : tensor<5x7xf32>, tensor<7x32xf32>
  plan.yield %0 : tensor<5x32xf32>
}

// The canonical tree: 16 lanes, then halves. No reassociation by a compiler.
// CHECK-LABEL: llvm.func @sum
// CHECK: arith.addf %{{.*}} : vector<16xf32>
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: arith.addf %{{.*}} : vector<4xf32>
// CHECK: arith.addf %{{.*}} : vector<2xf32>
// CHECK: arith.addf %{{.*}} : f32
plan.kernel @sum range 1 grain 1 (%x: tensor<64xf32>) {
  %0 = graph.reduce_sum %x axes [0] : tensor<64xf32>
  plan.yield %0 : tensor<f32>
}
