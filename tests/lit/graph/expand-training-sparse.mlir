// The gradient of a gather is rows of a table; where the rule allows it, only
// those rows change, and the table's gradient is never made.
// RUN: dtc-opt %s -split-input-file -graph-expand-training -graph-prune | FileCheck %s

// CHECK-LABEL: module @sgd
module @sgd {
  graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
  graph.func @train(%ids: tensor<2x3xi64>) {
    %t = graph.read @t : tensor<9x2xf32>
    %rows = graph.gather %t, %ids axis 0 : tensor<9x2xf32>, tensor<2x3xi64>
    %loss = graph.reduce_sum %rows axes [0, 1, 2] : tensor<2x3x2xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5>
    // CHECK-NOT: graph.indexed_slices
    // CHECK: %[[IDS:.*]] = graph.reshape %ids {{.*}} to tensor<6xi64>
    // CHECK: %[[CHANGE:.*]] = graph.mul {{.*}} : tensor<6x2xf32>, tensor<f32>
    // CHECK: %t.new = graph.scatter_add %t, %[[IDS]], %[[CHANGE]]
    // CHECK: graph.assign @t, %t.new
  }
}

// -----
// Equal indices are summed first: the rule is not linear.
// CHECK-LABEL: module @adagrad
module @adagrad {
  graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
  graph.func @train(%ids: tensor<3xi64>) {
    %t = graph.read @t : tensor<9x2xf32>
    %rows = graph.gather %t, %ids axis 0 : tensor<9x2xf32>, tensor<3xi64>
    %loss = graph.reduce_sum %rows axes [0, 1] : tensor<3x2xf32>
    graph.minimize %loss : tensor<f32> with #graph.adagrad<learning_rate = 0.5>
    // CHECK-NOT: graph.indexed_slices
    // CHECK: %[[UNIQUE:.*]]:2 = graph.unique_rows %ids
    // CHECK: %[[ROWS:.*]] = graph.gather %t, %[[UNIQUE]]#0 axis 0
    // CHECK: %[[SLOTS:.*]] = graph.gather %t.adagrad, %[[UNIQUE]]#0 axis 0
    // CHECK: %[[NEW:.*]]:2 = graph.apply_adagrad %[[ROWS]], %[[SLOTS]], %[[UNIQUE]]#1
    // CHECK: %t.new = graph.scatter_update %t, %[[UNIQUE]]#0, %[[NEW]]#0
    // CHECK: %t.adagrad.new = graph.scatter_update %t.adagrad, %[[UNIQUE]]#0, %[[NEW]]#1
  }
}

// -----
// A table that is read twice: one list of rows.
// CHECK-LABEL: module @twice
module @twice {
  graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
  graph.func @train(%a: tensor<3xi64>, %b: tensor<2xi64>) {
    %t = graph.read @t : tensor<9x2xf32>
    %ra = graph.gather %t, %a axis 0 : tensor<9x2xf32>, tensor<3xi64>
    %rb = graph.gather %t, %b axis 0 : tensor<9x2xf32>, tensor<2xi64>
    %la = graph.reduce_sum %ra axes [0, 1] : tensor<3x2xf32>
    %lb = graph.reduce_sum %rb axes [0, 1] : tensor<2x2xf32>
    %loss = graph.add %la, %lb : tensor<f32>, tensor<f32>
    graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.5, momentum = 0.9>
    // CHECK-NOT: graph.indexed_slices
    // CHECK: %[[IDS:.*]] = graph.concat %b, %a axis 0
    // CHECK: graph.unique_rows %[[IDS]]
  }
}

// -----
// Adam's m and v change in every row: TensorFlow's rule is dense, too.
// CHECK-LABEL: module @adam
module @adam {
  graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
  graph.func @train(%ids: tensor<3xi64>) {
    %t = graph.read @t : tensor<9x2xf32>
    %rows = graph.gather %t, %ids axis 0 : tensor<9x2xf32>, tensor<3xi64>
    %loss = graph.reduce_sum %rows axes [0, 1] : tensor<3x2xf32>
    graph.minimize %loss : tensor<f32> with #graph.adam<learning_rate = 0.5>
    // CHECK: %t.grad = graph.indexed_slices
    // CHECK: graph.apply_adam %t, %t.m, %t.v, %t.grad
  }
}
