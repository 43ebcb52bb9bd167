// A variable in parts: its slots, reads and updates follow; a gradient is cut
// where it enters the update; what is to be with the variable is with part 0.
// RUN: dtc-opt %s -graph-pipeline "-dist-split-variables=cluster=ps=2,worker=2 mode=between-graph" | FileCheck %s
// RUN: dtc-opt %s -graph-pipeline "-dist-split-variables=cluster=ps=2,worker=2 mode=between-graph max-shard-bytes=8" | FileCheck %s --check-prefix=BOUND
// RUN: dtc-opt %s -graph-pipeline "-dist-split-variables=cluster=worker=2 mode=in-graph max-shard-bytes=32" | FileCheck %s --check-prefix=WHOLE

// P8: the first part has one row more. P9: a slot is split with its variable.
// CHECK: graph.variable @"w/part_0" : tensor<3x4xf32> = #graph.glorot_uniform {dist.shard = #dist.shard<"w" : [5, 4] axis 0, 0 of 2, interleaved false>}
// CHECK-NEXT: graph.variable @"w/part_1" : tensor<2x4xf32>
// CHECK: graph.variable @"w/part_0.momentum" : tensor<3x4xf32> = #graph.fill<0.000000e+00> slot {dist.shard = #dist.shard<"w.momentum" : [5, 4] axis 0, 0 of 2, interleaved false>}
// What a variable asks for wins over the bound.
// BOUND: graph.variable @"w/part_1" : tensor<2x4xf32>
// BOUND-NOT: part_2
// BOUND: graph.variable @"b/part_1" : tensor<2xf32>
// WHOLE: graph.variable @w : tensor<5x4xf32>
// WHOLE-NOT: part_
graph.variable @w : tensor<5x4xf32> = #graph.glorot_uniform {shards = 2}
// Rows 0, 2 and 1, 3 of a constant.
// CHECK: graph.variable @"c/part_0" : tensor<2xf32> = dense<[1.000000e+00, 3.000000e+00]>
// CHECK: graph.variable @"c/part_1" : tensor<2xf32> = dense<[2.000000e+00, 4.000000e+00]>
graph.variable @c : tensor<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> {shards = 2, partition_strategy = "mod"}
graph.variable @b : tensor<4xf32> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @train
graph.func @train() {
  %x = graph.input "d" rows 0 to 80 [#graph.column<"x", fields 0 to 5, scale 1.0, range 0.0 to 9.0>] : tensor<8x5xf32>
  // CHECK: %w.part_0 = graph.read @"w/part_0"
  // CHECK: %w.part_1 = graph.read @"w/part_1"
  // CHECK: %w = graph.concat %w.part_0, %w.part_1 axis 0
  %w = graph.read @w : tensor<5x4xf32>
  // CHECK: graph.matmul %x, %w
  %h = graph.matmul %x, %w : tensor<8x5xf32>, tensor<5x4xf32>
  %b = graph.read @b : tensor<4xf32>
  %c = graph.read @c : tensor<4xf32>
  %y = graph.bias_add %h, %b {colocate = ["w"]} : tensor<8x4xf32>, tensor<4xf32>
  // CHECK: %[[JOINED:.*]] = graph.concat %c.part_0, %c.part_1
  // CHECK: %[[ORDER:.*]] = graph.constant dense<[0, 2, 1, 3]>
  // CHECK: %c = graph.gather %[[JOINED]], %[[ORDER]] axis 0
  // CHECK: graph.bias_add {{.*}}colocate = ["w/part_0"]
  %z = graph.mul %y, %c : tensor<8x4xf32>, tensor<4xf32>
  %loss = graph.reduce_mean %z axes [0, 1] : tensor<8x4xf32>
  // CHECK: %c.grad.part_1 = graph.strided_slice %c.grad begin [1] end [4] strides [2]
  // CHECK: %w.grad.part_0 = graph.strided_slice %w.grad begin [0, 0] end [3, 4] strides [1, 1]
  // CHECK: %w.grad.part_1 = graph.strided_slice %w.grad begin [3, 0] end [5, 4] strides [1, 1]
  // CHECK: graph.apply_momentum %w.part_0, %w.momentum.part_0, %w.grad.part_0
  // CHECK: graph.apply_momentum %w.part_1, %w.momentum.part_1, %w.grad.part_1
  // CHECK: graph.assign @"w/part_0"
  // CHECK: graph.assign @"w/part_1"
  // CHECK: graph.assign @"w/part_1.momentum"
  // CHECK-NOT: graph.assign @w,
  graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = 0.9>
}
