// Every op and attribute of training and of random numbers, printed and read.
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

graph.variable @w : tensor<2xf32> = #graph.fill<1.0>
graph.variable @n : tensor<i64> = #graph.fill<0.0>

// CHECK-LABEL: graph.func @apply
graph.func @apply(%w: tensor<2xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>, %g: tensor<2xf32>, %rate: tensor<f32>) {
  // CHECK: graph.apply_momentum %w, %a, %g learning_rate %rate momentum 5.000000e-01 nesterov : tensor<2xf32>
  %w1, %a1 = graph.apply_momentum %w, %a, %g learning_rate %rate momentum 0.5 nesterov : tensor<2xf32>
  // CHECK: graph.apply_adagrad %w, %a, %g learning_rate %rate epsilon 5.000000e-01 : tensor<2xf32>
  %w2, %a2 = graph.apply_adagrad %w, %a, %g learning_rate %rate epsilon 0.5 : tensor<2xf32>
  // CHECK: graph.apply_adam %w, %a, %b, %g learning_rate %rate beta1 5.000000e-01 beta2 2.500000e-01 epsilon 1.250000e-01 : tensor<2xf32>
  %w3, %a3, %b3 = graph.apply_adam %w, %a, %b, %g learning_rate %rate beta1 0.5 beta2 0.25 epsilon 0.125 : tensor<2xf32>
  // CHECK: graph.apply_rmsprop %w, %a, %b, %g learning_rate %rate rho 5.000000e-01 momentum 2.500000e-01 epsilon 1.250000e-01 : tensor<2xf32>
  %w4, %a4, %b4 = graph.apply_rmsprop %w, %a, %b, %g learning_rate %rate rho 0.5 momentum 0.25 epsilon 0.125 : tensor<2xf32>
}

// CHECK-LABEL: graph.func @steps
graph.func @steps(%x: tensor<2xf32>) {
  // CHECK: %step = graph.global_step
  %step = graph.global_step
  // CHECK: %r = graph.replica_index
  %r = graph.replica_index
  // CHECK: graph.random_uniform %step replica %r seed 7 stream "a" low 0.000000e+00 high 1.000000e+00 : tensor<2xf32>
  %u = graph.random_uniform %step replica %r seed 7 stream "a" low 0.0 high 1.0 : tensor<2xf32>
  // CHECK: graph.random_normal %step seed 7 stream "b" mean 0.000000e+00 stddev 1.000000e+00 : tensor<2xf32>
  %n = graph.random_normal %step seed 7 stream "b" mean 0.0 stddev 1.0 : tensor<2xf32>
  // CHECK: graph.random_truncated_normal %step seed 7 stream "c" mean 0.000000e+00 stddev 1.000000e+00 : tensor<2xf32>
  %t = graph.random_truncated_normal %step seed 7 stream "c" mean 0.0 stddev 1.0 : tensor<2xf32>
  // CHECK: graph.dropout %x, %step rate 5.000000e-01 seed 7 stream "d" : tensor<2xf32>
  %d = graph.dropout %x, %step rate 0.5 seed 7 stream "d" : tensor<2xf32>
  // CHECK: graph.assign_add @n, %step : tensor<i64>
  graph.assign_add @n, %step : tensor<i64>
}

// CHECK-LABEL: graph.func @optimizers
graph.func @optimizers(%x: tensor<f32>) {
  // CHECK: #graph.momentum<learning_rate = 5.000000e-01, momentum = 2.500000e-01, nesterov = true> weight_decay 5.000000e-01 clip_by_value 1.000000e+00 clip_by_global_norm 2.000000e+00
  graph.minimize %x : tensor<f32> with #graph.momentum<learning_rate = 0.5, momentum = 0.25, nesterov = true> weight_decay 0.5 clip_by_value 1.0 clip_by_global_norm 2.0
  // Defaults are left out.
  // CHECK: #graph.adagrad<learning_rate = 5.000000e-01>
  graph.minimize %x : tensor<f32> with #graph.adagrad<learning_rate = 0.5, initial_accumulator = 0.1>
  // CHECK: #graph.adam<learning_rate = 5.000000e-01, beta1 = 5.000000e-01>
  graph.minimize %x : tensor<f32> with #graph.adam<learning_rate = 0.5, beta1 = 0.5>
  // CHECK: #graph.adamw<learning_rate = 5.000000e-01, weight_decay = 2.500000e-01>
  graph.minimize %x : tensor<f32> with #graph.adamw<learning_rate = 0.5, weight_decay = 0.25>
  // CHECK: #graph.rmsprop<learning_rate = 5.000000e-01, rho = 5.000000e-01>
  graph.minimize %x : tensor<f32> with #graph.rmsprop<learning_rate = 0.5, rho = 0.5>
  // CHECK: #graph.lamb<learning_rate = 5.000000e-01, weight_decay = 2.500000e-01>
  graph.minimize %x : tensor<f32> with #graph.lamb<learning_rate = 0.5, weight_decay = 0.25>
}

// CHECK-LABEL: graph.func @schedules
graph.func @schedules(%x: tensor<f32>) {
  // CHECK: #graph.piecewise_constant<boundaries = [1000, 2000], values = [5.000000e-01, 2.500000e-01, 1.250000e-01], batch = 128>
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.piecewise_constant<boundaries = [1000, 2000], values = [0.5, 0.25, 0.125], batch = 128>>
  // CHECK: #graph.exponential_decay<rate = 5.000000e-01, decay_steps = 10, decay_rate = 2.500000e-01, staircase = true>
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.exponential_decay<rate = 0.5, decay_steps = 10, decay_rate = 0.25, staircase = true>>
  // CHECK: #graph.warm_up<steps = 5, after = #graph.cosine_decay<rate = 5.000000e-01, decay_steps = 10>>
  graph.minimize %x : tensor<f32> with #graph.sgd<learning_rate = #graph.warm_up<steps = 5, after = #graph.cosine_decay<rate = 0.5, decay_steps = 10>>>
}
