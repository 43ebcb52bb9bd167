// corners add up
graph.func @matrix(%dy: tensor<7x10xf64>) {
  %dx = graph.mirror_pad_grad %dy before [1, 2] after [2, 3] : tensor<7x10xf64> to tensor<4x5xf64>
  graph.output "dx" = %dx : tensor<4x5xf64>
}

// as much as there is
graph.func @most(%dy: tensor<7xf64>) {
  %dx = graph.mirror_pad_grad %dy before [2] after [2] : tensor<7xf64> to tensor<3xf64>
  graph.output "dx" = %dx : tensor<3xf64>
}

// height and width
graph.func @images(%dy: tensor<2x6x3x3xf64>) {
  %dx = graph.mirror_pad_grad %dy before [0, 1, 1, 0] after [0, 2, 0, 0] : tensor<2x6x3x3xf64> to tensor<2x3x2x3xf64>
  graph.output "dx" = %dx : tensor<2x3x2x3xf64>
}

// a dimension of size 1 does not grow
graph.func @unit(%dy: tensor<1x8x3xf64>) {
  %dx = graph.mirror_pad_grad %dy before [0, 3, 1] after [0, 1, 0] : tensor<1x8x3xf64> to tensor<1x4x2xf64>
  graph.output "dx" = %dx : tensor<1x4x2xf64>
}

// infinities and NaN spread to their sources only
graph.func @special_values(%dy: tensor<1x9xf64>) {
  %dx = graph.mirror_pad_grad %dy before [0, 2] after [0, 2] : tensor<1x9xf64> to tensor<1x5xf64>
  graph.output "dx" = %dx : tensor<1x5xf64>
}

// adds nothing
graph.func @none(%dy: tensor<3x4xf64>) {
  %dx = graph.mirror_pad_grad %dy before [0, 0] after [0, 0] : tensor<3x4xf64> to tensor<3x4xf64>
  graph.output "dx" = %dx : tensor<3x4xf64>
}

// rank 0
graph.func @scalar(%dy: tensor<f64>) {
  %dx = graph.mirror_pad_grad %dy before [] after [] : tensor<f64> to tensor<f64>
  graph.output "dx" = %dx : tensor<f64>
}

// no element
graph.func @empty(%dy: tensor<0x6xf64>) {
  %dx = graph.mirror_pad_grad %dy before [0, 1] after [0, 2] : tensor<0x6xf64> to tensor<0x3xf64>
  graph.output "dx" = %dx : tensor<0x3xf64>
}
