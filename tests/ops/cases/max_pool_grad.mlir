// windows side by side; a column is left over (y and x fed apart: no gradient test)
graph.func @special_valid(%x: tensor<1x5x6x2xf64>,
                          %y: tensor<1x2x3x2xf64>,
                          %dy: tensor<1x2x3x2xf64>) {
  %dx = graph.max_pool_grad %x, %y, %dy window [2, 2] padding "VALID" strides [2, 2]
      : tensor<1x5x6x2xf64>, tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64> to tensor<1x5x6x2xf64>
  graph.output "dx" = %dx : tensor<1x5x6x2xf64>
}

// windows that overlap and reach over the border (y and x fed apart: no gradient test)
graph.func @special_same_overlapping(%x: tensor<2x5x3x3xf64>,
                                     %y: tensor<2x3x3x3xf64>,
                                     %dy: tensor<2x3x3x3xf64>) {
  %dx = graph.max_pool_grad %x, %y, %dy window [3, 2] padding "SAME" strides [2, 1]
      : tensor<2x5x3x3xf64>, tensor<2x3x3x3xf64>, tensor<2x3x3x3xf64> to tensor<2x5x3x3xf64>
  graph.output "dx" = %dx : tensor<2x5x3x3xf64>
}

// padding that differs on every side (y and x fed apart: no gradient test)
graph.func @special_explicit(%x: tensor<1x4x5x1xf64>,
                             %y: tensor<1x3x2x1xf64>,
                             %dy: tensor<1x3x2x1xf64>) {
  %dx = graph.max_pool_grad %x, %y, %dy window [3, 3] padding array<i64: 1, 2, 0, 1> strides [2, 2]
      : tensor<1x4x5x1xf64>, tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64> to tensor<1x4x5x1xf64>
  graph.output "dx" = %dx : tensor<1x4x5x1xf64>
}

// pixels between the windows (y and x fed apart: no gradient test)
graph.func @special_gaps(%x: tensor<1x7x5x2xf64>,
                         %y: tensor<1x2x3x2xf64>,
                         %dy: tensor<1x2x3x2xf64>) {
  %dx = graph.max_pool_grad %x, %y, %dy window [2, 1] padding "VALID" strides [3, 2]
      : tensor<1x7x5x2xf64>, tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64> to tensor<1x7x5x2xf64>
  graph.output "dx" = %dx : tensor<1x7x5x2xf64>
}

// one window, the image (y and x fed apart: no gradient test)
graph.func @special_whole_image(%x: tensor<2x3x4x3xf64>,
                                %y: tensor<2x1x1x3xf64>,
                                %dy: tensor<2x1x1x3xf64>) {
  %dx = graph.max_pool_grad %x, %y, %dy window [3, 4] padding "VALID" strides [1, 1]
      : tensor<2x3x4x3xf64>, tensor<2x1x1x3xf64>, tensor<2x1x1x3xf64> to tensor<2x3x4x3xf64>
  graph.output "dx" = %dx : tensor<2x3x4x3xf64>
}

// the first of equals gets the gradient
graph.func @special_values(%x: tensor<1x1x8x1xf64>,
                           %y: tensor<1x1x4x1xf64>,
                           %dy: tensor<1x1x4x1xf64>) {
  %dx = graph.max_pool_grad %x, %y, %dy window [1, 2] padding "VALID" strides [1, 2]
      : tensor<1x1x8x1xf64>, tensor<1x1x4x1xf64>, tensor<1x1x4x1xf64> to tensor<1x1x8x1xf64>
  graph.output "dx" = %dx : tensor<1x1x8x1xf64>
}

// windows side by side; a column is left over, behind its pool
graph.func @valid(%x: tensor<1x5x6x2xf64>,
                  %dy: tensor<1x2x3x2xf64>) {
  %y = graph.max_pool %x window [2, 2] padding "VALID" strides [2, 2] : tensor<1x5x6x2xf64>
  %dx = graph.max_pool_grad %x, %y, %dy window [2, 2] padding "VALID" strides [2, 2]
      : tensor<1x5x6x2xf64>, tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64> to tensor<1x5x6x2xf64>
  graph.output "dx" = %dx : tensor<1x5x6x2xf64>
}

// windows that overlap and reach over the border, behind its pool
graph.func @same_overlapping(%x: tensor<2x5x3x3xf64>,
                             %dy: tensor<2x3x3x3xf64>) {
  %y = graph.max_pool %x window [3, 2] padding "SAME" strides [2, 1] : tensor<2x5x3x3xf64>
  %dx = graph.max_pool_grad %x, %y, %dy window [3, 2] padding "SAME" strides [2, 1]
      : tensor<2x5x3x3xf64>, tensor<2x3x3x3xf64>, tensor<2x3x3x3xf64> to tensor<2x5x3x3xf64>
  graph.output "dx" = %dx : tensor<2x5x3x3xf64>
}

// padding that differs on every side, behind its pool
graph.func @explicit(%x: tensor<1x4x5x1xf64>,
                     %dy: tensor<1x3x2x1xf64>) {
  %y = graph.max_pool %x window [3, 3] padding array<i64: 1, 2, 0, 1> strides [2, 2] : tensor<1x4x5x1xf64>
  %dx = graph.max_pool_grad %x, %y, %dy window [3, 3] padding array<i64: 1, 2, 0, 1> strides [2, 2]
      : tensor<1x4x5x1xf64>, tensor<1x3x2x1xf64>, tensor<1x3x2x1xf64> to tensor<1x4x5x1xf64>
  graph.output "dx" = %dx : tensor<1x4x5x1xf64>
}

// pixels between the windows, behind its pool
graph.func @gaps(%x: tensor<1x7x5x2xf64>,
                 %dy: tensor<1x2x3x2xf64>) {
  %y = graph.max_pool %x window [2, 1] padding "VALID" strides [3, 2] : tensor<1x7x5x2xf64>
  %dx = graph.max_pool_grad %x, %y, %dy window [2, 1] padding "VALID" strides [3, 2]
      : tensor<1x7x5x2xf64>, tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64> to tensor<1x7x5x2xf64>
  graph.output "dx" = %dx : tensor<1x7x5x2xf64>
}

// one window, the image, behind its pool
graph.func @whole_image(%x: tensor<2x3x4x3xf64>,
                        %dy: tensor<2x1x1x3xf64>) {
  %y = graph.max_pool %x window [3, 4] padding "VALID" strides [1, 1] : tensor<2x3x4x3xf64>
  %dx = graph.max_pool_grad %x, %y, %dy window [3, 4] padding "VALID" strides [1, 1]
      : tensor<2x3x4x3xf64>, tensor<2x1x1x3xf64>, tensor<2x1x1x3xf64> to tensor<2x3x4x3xf64>
  graph.output "dx" = %dx : tensor<2x3x4x3xf64>
}
