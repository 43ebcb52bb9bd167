// Made by make_parity.py.
  graph.variable @conv1 : tensor<5x5x1x6xf64> = #graph.fill<0.0>
  graph.variable @bias1 : tensor<6xf64> = #graph.fill<0.0>
  graph.variable @conv2 : tensor<5x5x6x16xf64> = #graph.fill<0.0>
  graph.variable @bias2 : tensor<16xf64> = #graph.fill<0.0>
  graph.variable @dense1 : tensor<256x120xf64> = #graph.fill<0.0>
  graph.variable @bias3 : tensor<120xf64> = #graph.fill<0.0>
  graph.variable @dense2 : tensor<120x84xf64> = #graph.fill<0.0>
  graph.variable @bias4 : tensor<84xf64> = #graph.fill<0.0>
  graph.variable @dense3 : tensor<84x10xf64> = #graph.fill<0.0>
  graph.variable @bias5 : tensor<10xf64> = #graph.fill<0.0>
  graph.func @train(%images: tensor<4x28x28x1xf64>, %labels: tensor<4xi64>) {
    %v1 = graph.read @conv1 : tensor<5x5x1x6xf64>
    %v2 = graph.read @bias1 : tensor<6xf64>
    %v3 = graph.conv2d %images, %v1 strides [1, 1] padding "VALID" dilations [1, 1] : tensor<4x28x28x1xf64>, tensor<5x5x1x6xf64>
    %v4 = graph.bias_add %v3, %v2 : tensor<4x24x24x6xf64>, tensor<6xf64>
    %v5 = graph.relu %v4 : tensor<4x24x24x6xf64>
    %v6 = graph.max_pool %v5 window [2, 2] padding "VALID" strides [2, 2] : tensor<4x24x24x6xf64>
    %v7 = graph.read @conv2 : tensor<5x5x6x16xf64>
    %v8 = graph.read @bias2 : tensor<16xf64>
    %v9 = graph.conv2d %v6, %v7 strides [1, 1] padding "VALID" dilations [1, 1] : tensor<4x12x12x6xf64>, tensor<5x5x6x16xf64>
    %v10 = graph.bias_add %v9, %v8 : tensor<4x8x8x16xf64>, tensor<16xf64>
    %v11 = graph.relu %v10 : tensor<4x8x8x16xf64>
    %v12 = graph.max_pool %v11 window [2, 2] padding "VALID" strides [2, 2] : tensor<4x8x8x16xf64>
    %v13 = graph.reshape %v12 : tensor<4x4x4x16xf64> to tensor<4x256xf64>
    %v14 = graph.read @dense1 : tensor<256x120xf64>
    %v15 = graph.read @bias3 : tensor<120xf64>
    %v16 = graph.matmul %v13, %v14 : tensor<4x256xf64>, tensor<256x120xf64>
    %v17 = graph.bias_add %v16, %v15 : tensor<4x120xf64>, tensor<120xf64>
    %v18 = graph.tanh %v17 : tensor<4x120xf64>
    %v19 = graph.read @dense2 : tensor<120x84xf64>
    %v20 = graph.read @bias4 : tensor<84xf64>
    %v21 = graph.matmul %v18, %v19 : tensor<4x120xf64>, tensor<120x84xf64>
    %v22 = graph.bias_add %v21, %v20 : tensor<4x84xf64>, tensor<84xf64>
    %v23 = graph.tanh %v22 : tensor<4x84xf64>
    %v24 = graph.read @dense3 : tensor<84x10xf64>
    %v25 = graph.read @bias5 : tensor<10xf64>
    %v26 = graph.matmul %v23, %v24 : tensor<4x84xf64>, tensor<84x10xf64>
    %v27 = graph.bias_add %v26, %v25 : tensor<4x10xf64>, tensor<10xf64>
    %v28 = graph.softmax_cross_entropy %v27, %labels : tensor<4x10xf64>, tensor<4xi64>
    %v29 = graph.reduce_mean %v28 axes [0] : tensor<4xf64>
    graph.minimize %v29 : tensor<f64> with #graph.adam<learning_rate = 0.003, beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-07>
    graph.output "loss" = %v29 : tensor<f64>
  }
