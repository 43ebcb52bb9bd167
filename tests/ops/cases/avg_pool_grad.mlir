// windows side by side; a column is left over
graph.func @valid(%dy: tensor<1x2x3x2xf64>) {
  %dx = graph.avg_pool_grad %dy window [2, 2] padding "VALID" strides [2, 2]
      : tensor<1x2x3x2xf64> to tensor<1x5x6x2xf64>
  graph.output "dx" = %dx : tensor<1x5x6x2xf64>
}

// windows that overlap and reach over the border
graph.func @same_overlapping(%dy: tensor<2x3x3x3xf64>) {
  %dx = graph.avg_pool_grad %dy window [3, 2] padding "SAME" strides [2, 1]
      : tensor<2x3x3x3xf64> to tensor<2x5x3x3xf64>
  graph.output "dx" = %dx : tensor<2x5x3x3xf64>
}

// padding that differs on every side
graph.func @explicit(%dy: tensor<1x3x2x1xf64>) {
  %dx = graph.avg_pool_grad %dy window [3, 3] padding array<i64: 1, 2, 0, 1> strides [2, 2]
      : tensor<1x3x2x1xf64> to tensor<1x4x5x1xf64>
  graph.output "dx" = %dx : tensor<1x4x5x1xf64>
}

// pixels between the windows
graph.func @gaps(%dy: tensor<1x2x3x2xf64>) {
  %dx = graph.avg_pool_grad %dy window [2, 1] padding "VALID" strides [3, 2]
      : tensor<1x2x3x2xf64> to tensor<1x7x5x2xf64>
  graph.output "dx" = %dx : tensor<1x7x5x2xf64>
}

// one window, the image
graph.func @whole_image(%dy: tensor<2x1x1x3xf64>) {
  %dx = graph.avg_pool_grad %dy window [3, 4] padding "VALID" strides [1, 1]
      : tensor<2x1x1x3xf64> to tensor<2x3x4x3xf64>
  graph.output "dx" = %dx : tensor<2x3x4x3xf64>
}
