// Convolutions and pools say what does not fit.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

graph.func @f(%a: tensor<5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: images are [batch, height, width, channels] and filters [height, width, in, out], got 5x5x2 and 3x3x2x4}}
  %0 = graph.conv2d %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x3xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: the image has 3 channels, the filter reads 2}}
  %0 = graph.conv2d %a, %b strides [1, 1] padding "VALID" dilations [1, 1] : tensor<1x5x5x3xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: strides must be two numbers of at least 1}}
  %0 = graph.conv2d %a, %b strides [0, 1] padding "VALID" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: strides must be two numbers of at least 1}}
  %0 = graph.conv2d %a, %b strides [1] padding "VALID" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: dilations must be two numbers of at least 1}}
  %0 = graph.conv2d %a, %b strides [1, 1] padding "VALID" dilations [1, 0] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: padding must be "SAME", "VALID" or array<i64: top, bottom, left, right>}}
  %0 = graph.conv2d %a, %b strides [1, 1] padding "FULL" dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: explicit padding must not be negative}}
  %0 = graph.conv2d %a, %b strides [1, 1] padding array<i64: 0, 0, -1, 0> dilations [1, 1] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{conv2d: height: a window that reaches over 7 elements does not fit into 5}}
  %0 = graph.conv2d %a, %b strides [1, 1] padding "VALID" dilations [3, 1] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>, // expected-note {{is made here}}
              %b: tensor<3x3x2x4xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{depthwise_conv2d: width: a window that reaches over 7 elements does not fit into 5}}
  %0 = graph.depthwise_conv2d %a, %b strides [1, 1] padding "VALID" dilations [1, 3] : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>
}

// -----
graph.func @f(%a: tensor<5x5xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{max_pool: images are [batch, height, width, channels], got 5x5}}
  %0 = graph.max_pool %a window [2, 2] padding "VALID" strides [1, 1] : tensor<5x5xf32>
}

// -----
graph.func @f(%a: tensor<1x5x5x2xf32>) { // expected-note {{is made here}}
  // expected-error@+1 {{avg_pool: windows and images have a height and a width}}
  %0 = graph.avg_pool %a window [0, 2] padding "VALID" strides [1, 1] : tensor<1x5x5x2xf32>
}
