// Every op reads back as it prints, under the names that the file gives.
// RUN: dtc-opt %s | FileCheck %s
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// CHECK: module @m
module @m {
  // CHECK: graph.variable @a : tensor<4x3xf32> = #graph.fill<1.000000e+00>
  graph.variable @a : tensor<4x3xf32> = #graph.fill<1>
  // CHECK: graph.variable @b : tensor<3xf32> = #graph.uniform<-5.000000e-01, 5.000000e-01> {device = "/job:ps/task:0"}
  graph.variable @b : tensor<3xf32> = #graph.uniform<-0.5, 0.5> {device = "/job:ps/task:0"}
  // CHECK: graph.variable @c : tensor<f64> = #graph.normal<0.000000e+00, 1.000000e-01>
  graph.variable @c : tensor<f64> = #graph.normal<0.0, 0.1>
  // CHECK: graph.variable @d : tensor<2xbf16> = #graph.truncated_normal<0.000000e+00, 1.000000e+00>
  graph.variable @d : tensor<2xbf16> = #graph.truncated_normal<0.0, 1.0>
  // CHECK: graph.variable @e : tensor<2x2xf16> = #graph.glorot_uniform
  graph.variable @e : tensor<2x2xf16> = #graph.glorot_uniform
  // CHECK: graph.variable @f : tensor<2x2xf32> = #graph.he_normal
  graph.variable @f : tensor<2x2xf32> = #graph.he_normal
  // CHECK: graph.variable @step : tensor<2xi64> = dense<[1, 2]> : tensor<2xi64>
  graph.variable @step : tensor<2xi64> = dense<[1, 2]> : tensor<2xi64>
  // CHECK: graph.variable @a.momentum : tensor<4x3xf32> = #graph.fill<0.000000e+00> slot
  graph.variable @a.momentum : tensor<4x3xf32> = #graph.fill<0.0> slot

  // CHECK: graph.func @train(%x: tensor<4x3xf32>, %labels: tensor<4xi64>)
  graph.func @train(%x: tensor<4x3xf32>, %labels: tensor<4xi64>) {
    // CHECK: %rows, %class = graph.input "set" at "set.csv" rows 0 to 9 shuffle [#graph.column<"rows", fields 0 to 3, scale 5.000000e-01, range 0.000000e+00 to 1.000000e+00>, #graph.column<"class", fields 3 to 4, scale 1.000000e+00, range 0.000000e+00 to 2.000000e+00>] : tensor<4x3xf32>, tensor<4xi32>
    %rows, %class = graph.input "set" at "set.csv" rows 0 to 9 shuffle
        [#graph.column<"rows", fields 0 to 3, scale 0.5, range 0.0 to 1.0>,
         #graph.column<"class", fields 3 to 4, scale 1.0, range 0.0 to 2.0>]
        : tensor<4x3xf32>, tensor<4xi32>
    // CHECK: %a = graph.read @a : tensor<4x3xf32>
    %a = graph.read @a : tensor<4x3xf32>
    // CHECK: %half = graph.constant dense<5.000000e-01> : tensor<f32>
    %half = graph.constant dense<0.5> : tensor<f32>
    // CHECK: %scaled = graph.mul %x, %half {device = "/job:worker/task:1"} : tensor<4x3xf32>, tensor<f32>
    %scaled = graph.mul %x, %half {device = "/job:worker/task:1"} : tensor<4x3xf32>, tensor<f32>
    // CHECK: graph.add %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    %add = graph.add %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    %sub = graph.sub %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    // CHECK-NEXT: graph.sub
    // CHECK-NEXT: graph.div
    %div = graph.div %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    // CHECK: graph.maximum
    %max = graph.maximum %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    // CHECK: graph.equal %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    %same = graph.equal %x, %scaled : tensor<4x3xf32>, tensor<4x3xf32>
    // CHECK: graph.neg %x : tensor<4x3xf32>
    %neg = graph.neg %x : tensor<4x3xf32>
    %exp = graph.exp %x : tensor<4x3xf32>
    %log = graph.log %x : tensor<4x3xf32>
    %sqrt = graph.sqrt %x : tensor<4x3xf32>
    // CHECK-COUNT-4: graph.{{exp|log|sqrt|square}} %x : tensor<4x3xf32>
    %square = graph.square %x : tensor<4x3xf32>
    // CHECK: graph.relu %x
    %relu = graph.relu %x : tensor<4x3xf32>
    // CHECK: graph.relu_grad %a, %x : tensor<4x3xf32>
    %relu_grad = graph.relu_grad %a, %x : tensor<4x3xf32>
    // CHECK: graph.cast %same : tensor<4x3xi1> to tensor<4x3xf32>
    %cast = graph.cast %same : tensor<4x3xi1> to tensor<4x3xf32>
    // CHECK: graph.reshape %x : tensor<4x3xf32> to tensor<2x6xf32>
    %reshape = graph.reshape %x : tensor<4x3xf32> to tensor<2x6xf32>
    // CHECK: graph.broadcast_to %half : tensor<f32> to tensor<3xf32>
    %bias = graph.broadcast_to %half : tensor<f32> to tensor<3xf32>
    // CHECK: %gram = graph.matmul %x, %a transpose_a : tensor<4x3xf32>, tensor<4x3xf32>
    %gram = graph.matmul %x, %a transpose_a : tensor<4x3xf32>, tensor<4x3xf32>
    // CHECK: %outer = graph.matmul %x, %a transpose_b : tensor<4x3xf32>, tensor<4x3xf32>
    %outer = graph.matmul %x, %a transpose_b : tensor<4x3xf32>, tensor<4x3xf32>
    // CHECK: graph.bias_add %x, %bias : tensor<4x3xf32>, tensor<3xf32>
    %biased = graph.bias_add %x, %bias : tensor<4x3xf32>, tensor<3xf32>
    // CHECK: graph.softmax %x : tensor<4x3xf32>
    %softmax = graph.softmax %x : tensor<4x3xf32>
    // CHECK: graph.softmax_cross_entropy %x, %labels : tensor<4x3xf32>, tensor<4xi64>
    %losses = graph.softmax_cross_entropy %x, %labels : tensor<4x3xf32>, tensor<4xi64>
    // CHECK: graph.one_hot %labels depth 3 as f32 : tensor<4xi64>
    %one_hot = graph.one_hot %labels depth 3 as f32 : tensor<4xi64>
    // CHECK: %sum = graph.reduce_sum %x axes [0, 1] : tensor<4x3xf32>
    %sum = graph.reduce_sum %x axes [0, 1] : tensor<4x3xf32>
    // CHECK: %mean = graph.reduce_mean %x axes [0] keep_dims : tensor<4x3xf32>
    %mean = graph.reduce_mean %x axes [0] keep_dims : tensor<4x3xf32>
    // CHECK: graph.reduce_max
    %top = graph.reduce_max %x axes [1] : tensor<4x3xf32>
    // CHECK: graph.argmax %x axis 1 : tensor<4x3xf32>
    %guess = graph.argmax %x axis 1 : tensor<4x3xf32>
    // CHECK: graph.apply_gradient_descent %a, %x learning_rate %rate : tensor<4x3xf32>
    %rate = graph.constant dense<0.1> : tensor<f32>
    %sgd = graph.apply_gradient_descent %a, %x learning_rate %rate : tensor<4x3xf32>
    // CHECK: %new, %slot = graph.apply_momentum %a, %a, %x learning_rate %rate momentum 9.000000e-01 : tensor<4x3xf32>
    %new, %slot = graph.apply_momentum %a, %a, %x learning_rate %rate momentum 0.9 : tensor<4x3xf32>
    // CHECK: %mean_of_three = graph.replica_mean %x, %a, %x : tensor<4x3xf32>
    %mean_of_three = graph.replica_mean %x, %a, %x : tensor<4x3xf32>
    // CHECK: graph.assign @a, %new : tensor<4x3xf32>
    graph.assign @a, %new : tensor<4x3xf32>
    // CHECK: graph.output "loss" = %sum : tensor<f32>
    graph.output "loss" = %sum : tensor<f32>
    // CHECK: graph.minimize %sum : tensor<f32> with #graph.sgd<learning_rate = 1.000000e-01>
    graph.minimize %sum : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    // CHECK: graph.minimize %sum : tensor<f32> with #graph.momentum<learning_rate = 1.000000e-01, momentum = 9.000000e-01> for [@a, @b]
    graph.minimize %sum : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = 0.9> for [@a, @b]
  }
}
