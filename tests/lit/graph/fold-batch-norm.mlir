// A convolution's filter is scaled instead of normalising what it makes.
// RUN: dtc-opt %s -graph-fold-batch-norm | FileCheck %s
graph.variable @f : tensor<3x3x1x2xf32> = #graph.glorot_uniform
graph.variable @s : tensor<2xf32> = #graph.fill<1.0>

// CHECK-LABEL: graph.func @predict
graph.func @predict(%x: tensor<1x8x8x1xf32>) {
  %f = graph.read @f : tensor<3x3x1x2xf32>
  %s = graph.read @s : tensor<2xf32>
  %c = graph.conv2d %x, %f strides [1, 1] padding "SAME" dilations [1, 1] : tensor<1x8x8x1xf32>, tensor<3x3x1x2xf32>
  // CHECK: [[SUM:%.*]] = graph.add %s, {{.*}} : tensor<2xf32>, tensor<f32>
  // CHECK: [[ROOT:%.*]] = graph.rsqrt [[SUM]]
  // CHECK: [[FACTOR:%.*]] = graph.mul [[ROOT]], %s
  // CHECK: [[FILTER:%.*]] = graph.mul %f, [[FACTOR]]
  // CHECK: [[SHIFT:%.*]] = graph.mul %s, [[FACTOR]]
  // CHECK: [[BIAS:%.*]] = graph.sub %s, [[SHIFT]]
  // CHECK: %c = graph.conv2d %x, [[FILTER]]
  // CHECK: %n = graph.bias_add %c, [[BIAS]]
  // CHECK-NOT: batch_norm
  %n = graph.batch_norm_inference %c, %s, %s, %s, %s epsilon 1.0e-3 : tensor<1x8x8x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  graph.output "y" = %n : tensor<1x8x8x2xf32>
}

// Training keeps its numbers, and so does a value that another op reads.
// CHECK-LABEL: graph.func @train
graph.func @train(%x: tensor<1x8x8x1xf32>) {
  %f = graph.read @f : tensor<3x3x1x2xf32>
  %s = graph.read @s : tensor<2xf32>
  %c = graph.conv2d %x, %f strides [1, 1] padding "SAME" dilations [1, 1] : tensor<1x8x8x1xf32>, tensor<3x3x1x2xf32>
  // CHECK: graph.batch_norm_inference
  %n = graph.batch_norm_inference %c, %s, %s, %s, %s epsilon 1.0e-3 : tensor<1x8x8x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  %loss = graph.reduce_mean %n axes [0, 1, 2, 3] : tensor<1x8x8x2xf32>
  graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
}

// CHECK-LABEL: graph.func @shared
graph.func @shared(%x: tensor<1x8x8x1xf32>) {
  %f = graph.read @f : tensor<3x3x1x2xf32>
  %s = graph.read @s : tensor<2xf32>
  %c = graph.conv2d %x, %f strides [1, 1] padding "SAME" dilations [1, 1] : tensor<1x8x8x1xf32>, tensor<3x3x1x2xf32>
  // CHECK: graph.batch_norm_inference
  %n = graph.batch_norm_inference %c, %s, %s, %s, %s epsilon 1.0e-3 : tensor<1x8x8x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  graph.output "c" = %c : tensor<1x8x8x2xf32>
  graph.output "y" = %n : tensor<1x8x8x2xf32>
}
