// Ops on two and three tensors, reductions and scans read back as they print.
// RUN: dtc-opt %s | FileCheck %s
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// CHECK-LABEL: graph.func @two_operands
graph.func @two_operands(%x: tensor<3x1xf32>, %y: tensor<4xf32>, %c: tensor<3x4xi1>) {
  // CHECK-NEXT: %add = graph.add %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %add = graph.add %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %sub = graph.sub %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %sub = graph.sub %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %mul = graph.mul %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %mul = graph.mul %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %div = graph.div %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %div = graph.div %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %floor_div = graph.floor_div %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %floor_div = graph.floor_div %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %floor_mod = graph.floor_mod %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %floor_mod = graph.floor_mod %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %maximum = graph.maximum %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %maximum = graph.maximum %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %minimum = graph.minimum %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %minimum = graph.minimum %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %pow = graph.pow %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %pow = graph.pow %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %equal = graph.equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %equal = graph.equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %not_equal = graph.not_equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %not_equal = graph.not_equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %less = graph.less %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %less = graph.less %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %less_equal = graph.less_equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %less_equal = graph.less_equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %greater = graph.greater %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %greater = graph.greater %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %greater_equal = graph.greater_equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  %greater_equal = graph.greater_equal %x, %y : tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %logical_and = graph.logical_and %c, %less : tensor<3x4xi1>, tensor<3x4xi1>
  %logical_and = graph.logical_and %c, %less : tensor<3x4xi1>, tensor<3x4xi1>
  // CHECK-NEXT: %logical_or = graph.logical_or %c, %less : tensor<3x4xi1>, tensor<3x4xi1>
  %logical_or = graph.logical_or %c, %less : tensor<3x4xi1>, tensor<3x4xi1>
  // CHECK-NEXT: %where = graph.where %c, %x, %y : tensor<3x4xi1>, tensor<3x1xf32>, tensor<4xf32>
  %where = graph.where %c, %x, %y : tensor<3x4xi1>, tensor<3x1xf32>, tensor<4xf32>
  // CHECK-NEXT: %select = graph.select %c, %add, %sub : tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>
  %select = graph.select %c, %add, %sub : tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: graph.func @reductions
graph.func @reductions(%x: tensor<2x3x4xf32>) {
  // CHECK-NEXT: %sum = graph.reduce_sum %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  %sum = graph.reduce_sum %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  // CHECK-NEXT: %mean = graph.reduce_mean %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  %mean = graph.reduce_mean %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  // CHECK-NEXT: %max = graph.reduce_max %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  %max = graph.reduce_max %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  // CHECK-NEXT: %min = graph.reduce_min %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  %min = graph.reduce_min %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  // CHECK-NEXT: %prod = graph.reduce_prod %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  %prod = graph.reduce_prod %x axes [0, 2] keep_dims : tensor<2x3x4xf32>
  // CHECK-NEXT: %argmax = graph.argmax %x axis 1 : tensor<2x3x4xf32>
  %argmax = graph.argmax %x axis 1 : tensor<2x3x4xf32>
  // CHECK-NEXT: %argmin = graph.argmin %x axis 1 : tensor<2x3x4xf32>
  %argmin = graph.argmin %x axis 1 : tensor<2x3x4xf32>
  // CHECK-NEXT: %cumsum = graph.cumsum %x axis 1 : tensor<2x3x4xf32>
  %cumsum = graph.cumsum %x axis 1 : tensor<2x3x4xf32>
  // CHECK-NEXT: %before = graph.cumsum %x axis 1 exclusive : tensor<2x3x4xf32>
  %before = graph.cumsum %x axis 1 exclusive : tensor<2x3x4xf32>
  // CHECK-NEXT: %behind = graph.cumsum %x axis 1 exclusive reverse : tensor<2x3x4xf32>
  %behind = graph.cumsum %x axis 1 exclusive reverse : tensor<2x3x4xf32>
  // CHECK-NEXT: %values, %indices = graph.top_k %x k 3 : tensor<2x3x4xf32>
  %values, %indices = graph.top_k %x k 3 : tensor<2x3x4xf32>
}
