// windows side by side; a column is left over
graph.func @valid(%x: tensor<1x5x6x2xf64>) {
  %y = graph.avg_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<1x5x6x2xf64>
  graph.output "y" = %y : tensor<1x2x3x2xf64>
}

// windows that overlap and reach over the border
graph.func @same_overlapping(%x: tensor<2x5x3x3xf64>) {
  %y = graph.avg_pool %x window [3, 2] padding "SAME" strides [2, 1] : tensor<2x5x3x3xf64>
  graph.output "y" = %y : tensor<2x3x3x3xf64>
}

// padding that differs on every side
graph.func @explicit(%x: tensor<1x4x5x1xf64>) {
  %y = graph.avg_pool %x window [3, 3] padding array<i64: 1, 2, 0, 1> strides [2, 2]
      : tensor<1x4x5x1xf64>
  graph.output "y" = %y : tensor<1x3x2x1xf64>
}

// pixels between the windows
graph.func @gaps(%x: tensor<1x7x5x2xf64>) {
  %y = graph.avg_pool %x window [2, 1] padding "VALID" strides [3, 2] : tensor<1x7x5x2xf64>
  graph.output "y" = %y : tensor<1x2x3x2xf64>
}

// one window, the image
graph.func @whole_image(%x: tensor<2x3x4x3xf64>) {
  %y = graph.avg_pool %x window [3, 4] padding "VALID" strides [1, 1] : tensor<2x3x4x3xf64>
  graph.output "y" = %y : tensor<2x1x1x3xf64>
}

// no image
graph.func @empty_batch(%x: tensor<0x4x4x2xf64>) {
  %y = graph.avg_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<0x4x4x2xf64>
  graph.output "y" = %y : tensor<0x2x2x2xf64>
}
