// Gradients of convolutions and pools are checked against their forward op.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<3x3x2x4xf32>, %b: tensor<1x3x3x5xf32>) {
  // expected-error@+1 {{conv2d_backprop_input: the gradient of 'tensor<1x5x5x2xf32>' under 'tensor<3x3x2x4xf32>' comes from shape 1x3x3x4, got 'tensor<1x3x3x5xf32>'}}
  %0 = graph.conv2d_backprop_input %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<3x3x2x4xf32>, tensor<1x3x3x5xf32> to tensor<1x5x5x2xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<1x3x3x4xf64>) {
  // expected-error@+1 {{conv2d_backprop_filter: element types differ}}
  %0 = graph.conv2d_backprop_filter %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<1x3x3x4xf64> to tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<1x3x3x4xf32>) {
  // expected-error@+1 {{conv2d_backprop_filter: images and filters have four dimensions}}
  %0 = graph.conv2d_backprop_filter %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<1x3x3x4xf32> to tensor<3x3x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<1x3x3x4xf32>) {
  // expected-error@+1 {{conv2d_backprop_filter: the image has 2 channels, the filter reads 3}}
  %0 = graph.conv2d_backprop_filter %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<1x3x3x4xf32> to tensor<3x3x3x4xf32>
}

// -----
graph.func @f(%a: tensor<3x3x2x4xf32>, %b: tensor<1x3x3x4xf32>) {
  // expected-error@+1 {{comes from shape 1x3x3x8, got}}
  %0 = graph.depthwise_conv2d_backprop_input %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<3x3x2x4xf32>, tensor<1x3x3x4xf32> to tensor<1x5x5x2xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<1x3x3x8xf32>) {
  // expected-error@+1 {{depthwise_conv2d_backprop_filter: strides must be two numbers of at least 1}}
  %0 = graph.depthwise_conv2d_backprop_filter %a, %b strides [0, 1] padding "VALID" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<1x3x3x8xf32> to tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<1x2x2x2xf32>, %c: tensor<1x2x2x1xf32>) {
  // expected-error@+1 {{max_pool_grad: the gradient has the type of x, and dy that of y}}
  %0 = graph.max_pool_grad %a, %b, %c window [2, 2] padding "VALID" strides [2, 2] : tensor<1x5x5x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x1xf32> to tensor<1x5x5x2xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, %b: tensor<1x3x2x2xf32>, %c: tensor<1x3x2x2xf32>) {
  // expected-error@+1 {{takes a gradient of shape 1x2x2x2, got}}
  %0 = graph.max_pool_grad %a, %b, %c window [2, 2] padding "VALID" strides [2, 2] : tensor<1x5x5x2xf32>, tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32> to tensor<1x5x5x2xf32>
}

// -----
graph.func @f(%a: tensor<1x2x2x2xf64>) {
  // expected-error@+1 {{avg_pool_grad: element types differ}}
  %0 = graph.avg_pool_grad %a window [2, 2] padding "VALID" strides [2, 2] : tensor<1x2x2x2xf64> to tensor<1x5x5x2xf32>
}

// -----
graph.func @f(%a: tensor<1x2x2x2xf32>) {
  // expected-error@+1 {{avg_pool_grad: images are [batch, height, width, channels]}}
  %0 = graph.avg_pool_grad %a window [2, 2] padding "VALID" strides [2, 2] : tensor<1x2x2x2xf32> to tensor<5x5x2xf32>
}

// -----
graph.func @f(%a: tensor<1x2x2x2xf32>) {
  // expected-error@+1 {{avg_pool_grad: height: a window that reaches over 7 elements does not fit into 5}}
  %0 = graph.avg_pool_grad %a window [7, 2] padding "VALID" strides [2, 2] : tensor<1x2x2x2xf32> to tensor<1x5x5x2xf32>
}
