// no padding; more than one image; 1 filter a channel
graph.func @valid(%x: tensor<2x4x5x3xf64>, %filter: tensor<3x2x3x1xf64>) {
  %y = graph.depthwise_conv2d %x, %filter strides [1, 1] padding "VALID" dilations [1, 1]
      : tensor<2x4x5x3xf64>, tensor<3x2x3x1xf64>
  graph.output "y" = %y : tensor<2x2x4x3xf64>
}

// strides that do not divide the image; an even filter, so that padding is uneven; 2 filters a channel
graph.func @same_strided(%x: tensor<1x5x7x2xf64>, %filter: tensor<3x4x2x2xf64>) {
  %y = graph.depthwise_conv2d %x, %filter strides [2, 3] padding "SAME" dilations [1, 1]
      : tensor<1x5x7x2xf64>, tensor<3x4x2x2xf64>
  graph.output "y" = %y : tensor<1x3x3x4xf64>
}

// dilations that differ, padding kept; 3 filters a channel
graph.func @same_dilated(%x: tensor<1x6x5x1xf64>, %filter: tensor<3x2x1x3xf64>) {
  %y = graph.depthwise_conv2d %x, %filter strides [1, 1] padding "SAME" dilations [2, 3]
      : tensor<1x6x5x1xf64>, tensor<3x2x1x3xf64>
  graph.output "y" = %y : tensor<1x6x5x3xf64>
}

// padding that differs on every side; 1 filter a channel
graph.func @explicit(%x: tensor<1x4x5x2xf64>, %filter: tensor<3x3x2x1xf64>) {
  %y = graph.depthwise_conv2d %x, %filter strides [2, 1] padding array<i64: 2, 1, 0, 3> dilations [1, 1]
      : tensor<1x4x5x2xf64>, tensor<3x3x2x1xf64>
  graph.output "y" = %y : tensor<1x3x6x2xf64>
}

// no image
graph.func @empty_batch(%x: tensor<0x3x3x2xf64>, %filter: tensor<2x2x2x2xf64>) {
  %y = graph.depthwise_conv2d %x, %filter strides [1, 1] padding "VALID" dilations [1, 1]
      : tensor<0x3x3x2xf64>, tensor<2x2x2x2xf64>
  graph.output "y" = %y : tensor<0x2x2x4xf64>
}
