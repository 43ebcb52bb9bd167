// Convolutions are differentiated by their backprop ops, pools by their grad
// ops; what was broadcast is summed.
// RUN: dtc-opt %s -graph-expand-training -split-input-file -verify-diagnostics | FileCheck %s

module {
  graph.variable @f : tensor<3x3x2x4xf32> = #graph.fill<0.0>
  // CHECK-LABEL: graph.func @train
  graph.func @train(%x: tensor<1x6x6x2xf32>) {
    %f = graph.read @f : tensor<3x3x2x4xf32>
    %y = graph.conv2d %x, %f strides [1, 1] padding "SAME" dilations [1, 1] : tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>
    %p = graph.max_pool %y window [2, 2] padding "VALID" strides [2, 2] : tensor<1x6x6x4xf32>
    %a = graph.avg_pool %p window [2, 2] padding "SAME" strides [1, 1] : tensor<1x3x3x4xf32>
    %loss = graph.l2_loss %a : tensor<1x3x3x4xf32>
    // CHECK: %[[DA:.*]] = graph.mul %a,
    // CHECK: %[[DP:.*]] = graph.avg_pool_grad %[[DA]] window [2, 2] padding "SAME" strides [1, 1]
    // CHECK: %[[DY:.*]] = graph.max_pool_grad %y, %p, %[[DP]] window [2, 2] padding "VALID" strides [2, 2]
    // CHECK: graph.conv2d_backprop_filter %x, %[[DY]] strides [1, 1] padding "SAME" dilations [1, 1]
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}

// -----
module {
  graph.variable @w : tensor<3x4xf32> = #graph.fill<0.0>
  // CHECK-LABEL: graph.func @broadcast
  graph.func @broadcast(%x: tensor<5x2x3xf32>) {
    %w = graph.read @w : tensor<3x4xf32>
    %y = graph.batch_matmul %x, %w : tensor<5x2x3xf32>, tensor<3x4xf32>
    %loss = graph.l2_loss %y : tensor<5x2x4xf32>
    // CHECK: %[[DW:.*]] = graph.batch_matmul %x, %{{.*}} transpose_a
    // CHECK: graph.reduce_sum %[[DW]] axes [0]
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}

// -----
module {
  graph.variable @dy : tensor<1x1x1x1xf32> = #graph.fill<0.0>
  // CHECK-LABEL: graph.func @twice
  graph.func @twice(%x: tensor<1x2x2x1xf32>) {
    %dy = graph.read @dy : tensor<1x1x1x1xf32>
    %y = graph.max_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<1x2x2x1xf32>
    %dx = graph.max_pool_grad %x, %y, %dy window [2, 2] padding "VALID" strides [2, 2] : tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32> to tensor<1x2x2x1xf32>
    %loss = graph.l2_loss %dx : tensor<1x2x2x1xf32>
    // What comes back is found again in each element of the window.
    // CHECK-COUNT-4: graph.equal %{{.*}}, %y
    // CHECK: %dy.grad = graph.select
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}
