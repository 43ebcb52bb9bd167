// RUN: dtc-opt %s | dtc-opt | FileCheck %s
// Whole numbers stand for reals; bits for what is no finite number; the words
// after an optimizer may come in any order.

graph.variable @w : tensor<4xf32> = #graph.fill<1>

// CHECK-LABEL: @numbers
graph.func @numbers(%x: tensor<4xf32>) {
  // CHECK: graph.clip %x from -1.000000e+00 to 2.500000e+00
  %c = graph.clip %x from -1 to 2.5 : tensor<4xf32>
  // CHECK: value 0xFFF0000000000000
  %p = graph.pad %c before [1] after [0] value 0xFFF0000000000000 : tensor<4xf32>
  graph.output "p" = %p : tensor<5xf32>
}

// CHECK-LABEL: @train
graph.func @train(%loss: tensor<f32>) {
  // CHECK: values = [1.000000e+00, 5.000000e-01]
  // CHECK-SAME: for [@w] weight_decay 1.000000e+00 clip_by_global_norm 2.000000e+00
  graph.minimize %loss : tensor<f32>
      with #graph.adam<learning_rate = #graph.piecewise_constant<boundaries = [1], values = [1, 0.5]>>
      clip_by_global_norm 2 weight_decay 1 for [@w]
}
