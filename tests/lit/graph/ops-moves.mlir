// Moves, and ops on indices and rows, read back as they print.
// RUN: dtc-opt %s | FileCheck %s
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// CHECK-LABEL: graph.func @joins
graph.func @joins(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: %concat = graph.concat %x, %y axis 1 : tensor<2x3xf32>, tensor<2x3xf32>
  %concat = graph.concat %x, %y axis 1 : tensor<2x3xf32>, tensor<2x3xf32>
  // CHECK-NEXT: %stack = graph.stack %x, %y axis 2 : tensor<2x3xf32>, tensor<2x3xf32>
  %stack = graph.stack %x, %y axis 2 : tensor<2x3xf32>, tensor<2x3xf32>
  // CHECK-NEXT: %a, %b, %c = graph.split %concat axis 1 sizes [2, 0, 4] : tensor<2x6xf32>
  %a, %b, %c = graph.split %concat axis 1 sizes [2, 0, 4] : tensor<2x6xf32>
  // CHECK-NEXT: %d, %e = graph.unstack %stack axis 0 : tensor<2x3x2xf32>
  %d, %e = graph.unstack %stack axis 0 : tensor<2x3x2xf32>
  // CHECK-NEXT: %scalars = graph.stack %s axis 0 : tensor<f32>
  %scalars = graph.stack %s axis 0 : tensor<f32>
}

// CHECK-LABEL: graph.func @moves
graph.func @moves(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: %transpose = graph.transpose %x perm [1, 0] : tensor<4x8xf32>
  %transpose = graph.transpose %x perm [1, 0] : tensor<4x8xf32>
  // CHECK-NEXT: %still = graph.transpose %s perm [] : tensor<f32>
  %still = graph.transpose %s perm [] : tensor<f32>
  // CHECK-NEXT: %expand = graph.expand_dims %x axis 0 : tensor<4x8xf32>
  %expand = graph.expand_dims %x axis 0 : tensor<4x8xf32>
  // CHECK-NEXT: %squeeze = graph.squeeze %expand axes [0] : tensor<1x4x8xf32>
  %squeeze = graph.squeeze %expand axes [0] : tensor<1x4x8xf32>
  // CHECK-NEXT: %slice = graph.slice %x begin [0, 2] size [4, 3] : tensor<4x8xf32>
  %slice = graph.slice %x begin [0, 2] size [4, 3] : tensor<4x8xf32>
  // CHECK-NEXT: %strided = graph.strided_slice %x begin [3, 0] end [-5, 8] strides [-1, 2] : tensor<4x8xf32>
  %strided = graph.strided_slice %x begin [3, 0] end [-5, 8] strides [-1, 2] : tensor<4x8xf32>
  // CHECK-NEXT: %back = graph.strided_slice_grad %strided begin [3, 0] end [-5, 8] strides [-1, 2] : tensor<4x4xf32> to tensor<4x8xf32>
  %back = graph.strided_slice_grad %strided begin [3, 0] end [-5, 8] strides [-1, 2] : tensor<4x4xf32> to tensor<4x8xf32>
  // CHECK-NEXT: %pad = graph.pad %x before [1, 2] after [1, 0] value -5.000000e-01 : tensor<4x8xf32>
  %pad = graph.pad %x before [1, 2] after [1, 0] value -5.000000e-01 : tensor<4x8xf32>
  // CHECK-NEXT: %mirror = graph.pad %x before [1, 2] after [1, 0] reflect : tensor<4x8xf32>
  %mirror = graph.pad %x before [1, 2] after [1, 0] reflect : tensor<4x8xf32>
  // CHECK-NEXT: %middle = graph.mirror_pad_grad %mirror before [1, 2] after [1, 0] : tensor<6x10xf32> to tensor<4x8xf32>
  %middle = graph.mirror_pad_grad %mirror before [1, 2] after [1, 0] : tensor<6x10xf32> to tensor<4x8xf32>
  // CHECK-NEXT: %tile = graph.tile %x multiples [2, 0] : tensor<4x8xf32>
  %tile = graph.tile %x multiples [2, 0] : tensor<4x8xf32>
  // CHECK-NEXT: %reshape = graph.reshape %x : tensor<4x8xf32> to tensor<2x16xf32>
  %reshape = graph.reshape %x : tensor<4x8xf32> to tensor<2x16xf32>
  // CHECK-NEXT: %broadcast = graph.broadcast_to %s : tensor<f32> to tensor<2x3xf32>
  %broadcast = graph.broadcast_to %s : tensor<f32> to tensor<2x3xf32>
}

// CHECK-LABEL: graph.func @made
graph.func @made(%x: tensor<4x8xf32>, %s: tensor<i64>) {
  // CHECK-NEXT: %shape = graph.shape %x : tensor<4x8xf32>
  %shape = graph.shape %x : tensor<4x8xf32>
  // CHECK-NEXT: %fill = graph.fill %s : tensor<i64> to tensor<2x3xi64>
  %fill = graph.fill %s : tensor<i64> to tensor<2x3xi64>
  // CHECK-NEXT: %halves = graph.range from -1.000000e+00 by 5.000000e-01 : tensor<8xf32>
  %halves = graph.range from -1.000000e+00 by 5.000000e-01 : tensor<8xf32>
  // CHECK-NEXT: %numbers = graph.range from 0.000000e+00 by 1.000000e+00 : tensor<8xi64>
  %numbers = graph.range from 0.000000e+00 by 1.000000e+00 : tensor<8xi64>
}

// CHECK-LABEL: graph.func @rows
graph.func @rows(%x: tensor<9x8xf32>, %i: tensor<4xi64>, %rows: tensor<4x8xf32>) {
  // CHECK-NEXT: %one_hot = graph.one_hot %i depth 9 as i1 strict : tensor<4xi64>
  %one_hot = graph.one_hot %i depth 9 as i1 strict : tensor<4xi64>
  // CHECK-NEXT: %gather = graph.gather %x, %i axis 1 : tensor<9x8xf32>, tensor<4xi64>
  %gather = graph.gather %x, %i axis 1 : tensor<9x8xf32>, tensor<4xi64>
  // CHECK-NEXT: %slices = graph.indexed_slices %i, %rows : tensor<4xi64>, tensor<4x8xf32> to tensor<9x8xf32>
  %slices = graph.indexed_slices %i, %rows : tensor<4xi64>, tensor<4x8xf32> to tensor<9x8xf32>
  // CHECK-NEXT: %unique, %sums = graph.unique_rows %i, %rows : tensor<4xi64>, tensor<4x8xf32>
  %unique, %sums = graph.unique_rows %i, %rows : tensor<4xi64>, tensor<4x8xf32>
  // CHECK-NEXT: %add = graph.scatter_add %x, %unique, %sums : tensor<9x8xf32>, tensor<4xi64>, tensor<4x8xf32>
  %add = graph.scatter_add %x, %unique, %sums : tensor<9x8xf32>, tensor<4xi64>, tensor<4x8xf32>
  // CHECK-NEXT: %update = graph.scatter_update %x, %i, %rows : tensor<9x8xf32>, tensor<4xi64>, tensor<4x8xf32>
  %update = graph.scatter_update %x, %i, %rows : tensor<9x8xf32>, tensor<4xi64>, tensor<4x8xf32>
}
