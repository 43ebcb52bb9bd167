module @convnet {
  graph.variable @"conv1/filter" : tensor<3x3x1x16xf32> = #graph.glorot_uniform
  graph.variable @"conv1/bias" : tensor<16xf32> = #graph.fill<0.000000e+00>
  graph.variable @"norm1/scale" : tensor<16xf32> = #graph.fill<1.000000e+00>
  graph.variable @"norm1/offset" : tensor<16xf32> = #graph.fill<0.000000e+00>
  graph.variable @"norm1/moving_mean" : tensor<16xf32> = #graph.fill<0.000000e+00>
  graph.variable @"norm1/moving_variance" : tensor<16xf32> = #graph.fill<1.000000e+00>
  graph.variable @"conv2/filter" : tensor<3x3x16x32xf32> = #graph.glorot_uniform
  graph.variable @"conv2/bias" : tensor<32xf32> = #graph.fill<0.000000e+00>
  graph.variable @"norm2/scale" : tensor<32xf32> = #graph.fill<1.000000e+00>
  graph.variable @"norm2/offset" : tensor<32xf32> = #graph.fill<0.000000e+00>
  graph.variable @"norm2/moving_mean" : tensor<32xf32> = #graph.fill<0.000000e+00>
  graph.variable @"norm2/moving_variance" : tensor<32xf32> = #graph.fill<1.000000e+00>
  graph.variable @"classes/w" : tensor<128x10xf32> = #graph.glorot_uniform
  graph.variable @"classes/b" : tensor<10xf32> = #graph.fill<0.000000e+00>
  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz" rows 0 to 1500 shuffle [#graph.column<"pixels", fields 0 to 64, scale 1.250000e-01, range 0.000000e+00 to 1.600000e+01>, #graph.column<"label", fields 64 to 65, scale 1.000000e+00, range 0.000000e+00 to 9.000000e+00>] : tensor<50x8x8x1xf32>, tensor<50xi64>
    %conv1.filter = graph.read @"conv1/filter" : tensor<3x3x1x16xf32>
    %conv1.bias = graph.read @"conv1/bias" : tensor<16xf32>
    %conv1.conv = graph.conv2d %pixels, %conv1.filter strides [1, 1] padding "SAME" dilations [1, 1] : tensor<50x8x8x1xf32>, tensor<3x3x1x16xf32>
    %conv1 = graph.bias_add %conv1.conv, %conv1.bias : tensor<50x8x8x16xf32>, tensor<16xf32>
    %norm1.scale = graph.read @"norm1/scale" : tensor<16xf32>
    %norm1.offset = graph.read @"norm1/offset" : tensor<16xf32>
    %norm1.moving_mean = graph.read @"norm1/moving_mean" : tensor<16xf32>
    %norm1.moving_variance = graph.read @"norm1/moving_variance" : tensor<16xf32>
    %norm1, %norm1.mean, %norm1.unbiased, %norm1.variance = graph.batch_norm %conv1, %norm1.scale, %norm1.offset epsilon 1.000000e-03 : tensor<50x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>
    %norm1.moving_mean.rate = graph.constant dense<1.000000e-01> : tensor<f32>
    %norm1.moving_mean.delta = graph.sub %norm1.moving_mean, %norm1.mean : tensor<16xf32>, tensor<16xf32>
    %norm1.moving_mean.step = graph.mul %norm1.moving_mean.delta, %norm1.moving_mean.rate : tensor<16xf32>, tensor<f32>
    %norm1.moving_mean.new = graph.sub %norm1.moving_mean, %norm1.moving_mean.step : tensor<16xf32>, tensor<16xf32>
    graph.assign @"norm1/moving_mean", %norm1.moving_mean.new : tensor<16xf32>
    %norm1.moving_variance.rate = graph.constant dense<1.000000e-01> : tensor<f32>
    %norm1.moving_variance.delta = graph.sub %norm1.moving_variance, %norm1.unbiased : tensor<16xf32>, tensor<16xf32>
    %norm1.moving_variance.step = graph.mul %norm1.moving_variance.delta, %norm1.moving_variance.rate : tensor<16xf32>, tensor<f32>
    %norm1.moving_variance.new = graph.sub %norm1.moving_variance, %norm1.moving_variance.step : tensor<16xf32>, tensor<16xf32>
    graph.assign @"norm1/moving_variance", %norm1.moving_variance.new : tensor<16xf32>
    %relu_0 = graph.relu %norm1 : tensor<50x8x8x16xf32>
    %max_pool_0 = graph.max_pool %relu_0 window [2, 2] padding "VALID" strides [2, 2] : tensor<50x8x8x16xf32>
    %conv2.filter = graph.read @"conv2/filter" : tensor<3x3x16x32xf32>
    %conv2.bias = graph.read @"conv2/bias" : tensor<32xf32>
    %conv2.conv = graph.conv2d %max_pool_0, %conv2.filter strides [1, 1] padding "SAME" dilations [1, 1] : tensor<50x4x4x16xf32>, tensor<3x3x16x32xf32>
    %conv2 = graph.bias_add %conv2.conv, %conv2.bias : tensor<50x4x4x32xf32>, tensor<32xf32>
    %norm2.scale = graph.read @"norm2/scale" : tensor<32xf32>
    %norm2.offset = graph.read @"norm2/offset" : tensor<32xf32>
    %norm2.moving_mean = graph.read @"norm2/moving_mean" : tensor<32xf32>
    %norm2.moving_variance = graph.read @"norm2/moving_variance" : tensor<32xf32>
    %norm2, %norm2.mean, %norm2.unbiased, %norm2.variance = graph.batch_norm %conv2, %norm2.scale, %norm2.offset epsilon 1.000000e-03 : tensor<50x4x4x32xf32>, tensor<32xf32>, tensor<32xf32>
    %norm2.moving_mean.rate = graph.constant dense<1.000000e-01> : tensor<f32>
    %norm2.moving_mean.delta = graph.sub %norm2.moving_mean, %norm2.mean : tensor<32xf32>, tensor<32xf32>
    %norm2.moving_mean.step = graph.mul %norm2.moving_mean.delta, %norm2.moving_mean.rate : tensor<32xf32>, tensor<f32>
    %norm2.moving_mean.new = graph.sub %norm2.moving_mean, %norm2.moving_mean.step : tensor<32xf32>, tensor<32xf32>
    graph.assign @"norm2/moving_mean", %norm2.moving_mean.new : tensor<32xf32>
    %norm2.moving_variance.rate = graph.constant dense<1.000000e-01> : tensor<f32>
    %norm2.moving_variance.delta = graph.sub %norm2.moving_variance, %norm2.unbiased : tensor<32xf32>, tensor<32xf32>
    %norm2.moving_variance.step = graph.mul %norm2.moving_variance.delta, %norm2.moving_variance.rate : tensor<32xf32>, tensor<f32>
    %norm2.moving_variance.new = graph.sub %norm2.moving_variance, %norm2.moving_variance.step : tensor<32xf32>, tensor<32xf32>
    graph.assign @"norm2/moving_variance", %norm2.moving_variance.new : tensor<32xf32>
    %relu_1 = graph.relu %norm2 : tensor<50x4x4x32xf32>
    %max_pool_1 = graph.max_pool %relu_1 window [2, 2] padding "VALID" strides [2, 2] : tensor<50x4x4x32xf32>
    %reshape_0 = graph.reshape %max_pool_1 : tensor<50x2x2x32xf32> to tensor<50x128xf32>
    %classes.w = graph.read @"classes/w" : tensor<128x10xf32>
    %classes.b = graph.read @"classes/b" : tensor<10xf32>
    %classes.matmul = graph.matmul %reshape_0, %classes.w : tensor<50x128xf32>, tensor<128x10xf32>
    %classes = graph.bias_add %classes.matmul, %classes.b : tensor<50x10xf32>, tensor<10xf32>
    %loss.rows = graph.softmax_cross_entropy %classes, %label : tensor<50x10xf32>, tensor<50xi64>
    %loss = graph.reduce_mean %loss.rows axes [0] : tensor<50xf32>
    graph.minimize %loss : tensor<f32> with #graph.adam<learning_rate = 2.000000e-03>
    graph.output "loss" = %loss : tensor<f32>
  }
  graph.func @eval() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz" rows 1500 to 1797 [#graph.column<"pixels", fields 0 to 64, scale 1.250000e-01, range 0.000000e+00 to 1.600000e+01>, #graph.column<"label", fields 64 to 65, scale 1.000000e+00, range 0.000000e+00 to 9.000000e+00>] : tensor<297x8x8x1xf32>, tensor<297xi64>
    %conv1.filter = graph.read @"conv1/filter" : tensor<3x3x1x16xf32>
    %conv1.bias = graph.read @"conv1/bias" : tensor<16xf32>
    %conv1.conv = graph.conv2d %pixels, %conv1.filter strides [1, 1] padding "SAME" dilations [1, 1] : tensor<297x8x8x1xf32>, tensor<3x3x1x16xf32>
    %conv1 = graph.bias_add %conv1.conv, %conv1.bias : tensor<297x8x8x16xf32>, tensor<16xf32>
    %norm1.scale = graph.read @"norm1/scale" : tensor<16xf32>
    %norm1.offset = graph.read @"norm1/offset" : tensor<16xf32>
    %norm1.moving_mean = graph.read @"norm1/moving_mean" : tensor<16xf32>
    %norm1.moving_variance = graph.read @"norm1/moving_variance" : tensor<16xf32>
    %norm1 = graph.batch_norm_inference %conv1, %norm1.scale, %norm1.offset, %norm1.moving_mean, %norm1.moving_variance epsilon 1.000000e-03 : tensor<297x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
    %relu_0 = graph.relu %norm1 : tensor<297x8x8x16xf32>
    %max_pool_0 = graph.max_pool %relu_0 window [2, 2] padding "VALID" strides [2, 2] : tensor<297x8x8x16xf32>
    %conv2.filter = graph.read @"conv2/filter" : tensor<3x3x16x32xf32>
    %conv2.bias = graph.read @"conv2/bias" : tensor<32xf32>
    %conv2.conv = graph.conv2d %max_pool_0, %conv2.filter strides [1, 1] padding "SAME" dilations [1, 1] : tensor<297x4x4x16xf32>, tensor<3x3x16x32xf32>
    %conv2 = graph.bias_add %conv2.conv, %conv2.bias : tensor<297x4x4x32xf32>, tensor<32xf32>
    %norm2.scale = graph.read @"norm2/scale" : tensor<32xf32>
    %norm2.offset = graph.read @"norm2/offset" : tensor<32xf32>
    %norm2.moving_mean = graph.read @"norm2/moving_mean" : tensor<32xf32>
    %norm2.moving_variance = graph.read @"norm2/moving_variance" : tensor<32xf32>
    %norm2 = graph.batch_norm_inference %conv2, %norm2.scale, %norm2.offset, %norm2.moving_mean, %norm2.moving_variance epsilon 1.000000e-03 : tensor<297x4x4x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
    %relu_1 = graph.relu %norm2 : tensor<297x4x4x32xf32>
    %max_pool_1 = graph.max_pool %relu_1 window [2, 2] padding "VALID" strides [2, 2] : tensor<297x4x4x32xf32>
    %reshape_0 = graph.reshape %max_pool_1 : tensor<297x2x2x32xf32> to tensor<297x128xf32>
    %classes.w = graph.read @"classes/w" : tensor<128x10xf32>
    %classes.b = graph.read @"classes/b" : tensor<10xf32>
    %classes.matmul = graph.matmul %reshape_0, %classes.w : tensor<297x128xf32>, tensor<128x10xf32>
    %classes = graph.bias_add %classes.matmul, %classes.b : tensor<297x10xf32>, tensor<10xf32>
    %loss.rows = graph.softmax_cross_entropy %classes, %label : tensor<297x10xf32>, tensor<297xi64>
    %loss = graph.reduce_mean %loss.rows axes [0] : tensor<297xf32>
    %guess = graph.argmax %classes axis 1 : tensor<297x10xf32>
    %right = graph.equal %guess, %label : tensor<297xi64>, tensor<297xi64>
    %score = graph.cast %right : tensor<297xi1> to tensor<297xf32>
    %accuracy = graph.reduce_mean %score axes [0] : tensor<297xf32>
    graph.output "accuracy" = %accuracy : tensor<f32>
    graph.output "loss" = %loss : tensor<f32>
  }
}

