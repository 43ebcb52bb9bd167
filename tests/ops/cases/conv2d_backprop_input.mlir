// no padding; more than one image
graph.func @valid(%filter: tensor<3x2x2x3xf64>, %dy: tensor<2x2x4x3xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [1, 1] padding "VALID" dilations [1, 1]
      : tensor<3x2x2x3xf64>, tensor<2x2x4x3xf64> to tensor<2x4x5x2xf64>
  graph.output "dx" = %dx : tensor<2x4x5x2xf64>
}

// strides that do not divide the image; an even filter, so that padding is uneven
graph.func @same_strided(%filter: tensor<3x4x2x3xf64>, %dy: tensor<1x3x3x3xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [2, 3] padding "SAME" dilations [1, 1]
      : tensor<3x4x2x3xf64>, tensor<1x3x3x3xf64> to tensor<1x5x7x2xf64>
  graph.output "dx" = %dx : tensor<1x5x7x2xf64>
}

// dilations that differ, padding kept
graph.func @same_dilated(%filter: tensor<3x2x1x2xf64>, %dy: tensor<1x6x5x2xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [1, 1] padding "SAME" dilations [2, 3]
      : tensor<3x2x1x2xf64>, tensor<1x6x5x2xf64> to tensor<1x6x5x1xf64>
  graph.output "dx" = %dx : tensor<1x6x5x1xf64>
}

// strides with dilations
graph.func @valid_strided_dilated(%filter: tensor<2x3x2x1xf64>, %dy: tensor<1x2x4x1xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [2, 1] padding "VALID" dilations [3, 2]
      : tensor<2x3x2x1xf64>, tensor<1x2x4x1xf64> to tensor<1x7x8x2xf64>
  graph.output "dx" = %dx : tensor<1x7x8x2xf64>
}

// padding that differs on every side
graph.func @explicit(%filter: tensor<3x3x2x2xf64>, %dy: tensor<1x3x6x2xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [2, 1] padding array<i64: 2, 1, 0, 3> dilations [1, 1]
      : tensor<3x3x2x2xf64>, tensor<1x3x6x2xf64> to tensor<1x4x5x2xf64>
  graph.output "dx" = %dx : tensor<1x4x5x2xf64>
}

// a filter of one pixel
graph.func @pointwise(%filter: tensor<1x1x5x3xf64>, %dy: tensor<1x3x3x3xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [1, 1] padding "SAME" dilations [1, 1]
      : tensor<1x1x5x3xf64>, tensor<1x3x3x3xf64> to tensor<1x3x3x5xf64>
  graph.output "dx" = %dx : tensor<1x3x3x5xf64>
}

// strides beyond the filter: pixels that no window reads
graph.func @sparse_strides(%filter: tensor<1x2x1x2xf64>, %dy: tensor<1x2x2x2xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [3, 3] padding "VALID" dilations [1, 1]
      : tensor<1x2x1x2xf64>, tensor<1x2x2x2xf64> to tensor<1x5x5x1xf64>
  graph.output "dx" = %dx : tensor<1x5x5x1xf64>
}

// a filter larger than the image
graph.func @filter_beyond_image(%filter: tensor<3x3x3x2xf64>, %dy: tensor<1x2x1x2xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [1, 1] padding "SAME" dilations [1, 1]
      : tensor<3x3x3x2xf64>, tensor<1x2x1x2xf64> to tensor<1x2x1x3xf64>
  graph.output "dx" = %dx : tensor<1x2x1x3xf64>
}

// no image
graph.func @empty_batch(%filter: tensor<2x2x2x3xf64>, %dy: tensor<0x2x2x3xf64>) {
  %dx = graph.conv2d_backprop_input %filter, %dy strides [1, 1] padding "VALID" dilations [1, 1]
      : tensor<2x2x2x3xf64>, tensor<0x2x2x3xf64> to tensor<0x3x3x2xf64>
  graph.output "dx" = %dx : tensor<0x3x3x2xf64>
}
