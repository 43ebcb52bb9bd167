// the last step is not whole
graph.func @steps(%dy: tensor<3x2xf64>) {
  %dx = graph.strided_slice_grad %dy begin [0, 1] end [5, 7] strides [2, 3] : tensor<3x2xf64> to tensor<5x7xf64>
  graph.output "dx" = %dx : tensor<5x7xf64>
}

// all of it, reversed
graph.func @backwards(%dy: tensor<7xf64>) {
  %dx = graph.strided_slice_grad %dy begin [6] end [-8] strides [-1] : tensor<7xf64> to tensor<7xf64>
  graph.output "dx" = %dx : tensor<7xf64>
}

// negative positions and strides
graph.func @negative(%dy: tensor<2x3x3xf64>) {
  %dx = graph.strided_slice_grad %dy begin [-1, -4, -2] end [0, -1, 1] strides [-2, 1, -1] : tensor<2x3x3xf64> to tensor<4x5x6xf64>
  graph.output "dx" = %dx : tensor<4x5x6xf64>
}

// what lies outside is cut
graph.func @cut(%dy: tensor<3x2xf64>) {
  %dx = graph.strided_slice_grad %dy begin [-9, 2] end [3, 99] strides [1, 1] : tensor<3x2xf64> to tensor<5x4xf64>
  graph.output "dx" = %dx : tensor<5x4xf64>
}

// begins behind the end
graph.func @cut_backwards(%dy: tensor<3xf64>) {
  %dx = graph.strided_slice_grad %dy begin [50] end [-50] strides [-2] : tensor<3xf64> to tensor<6xf64>
  graph.output "dx" = %dx : tensor<6xf64>
}

// rank 0
graph.func @scalar(%dy: tensor<f64>) {
  %dx = graph.strided_slice_grad %dy begin [] end [] strides [] : tensor<f64> to tensor<f64>
  graph.output "dx" = %dx : tensor<f64>
}

// no gradient comes
graph.func @empty(%dy: tensor<0x3xf64>) {
  %dx = graph.strided_slice_grad %dy begin [3, 0] end [1, 3] strides [1, 1] : tensor<0x3xf64> to tensor<4x3xf64>
  graph.output "dx" = %dx : tensor<4x3xf64>
}

// 32 bits
graph.func @integers(%dy: tensor<3x2xi32>) {
  %dx = graph.strided_slice_grad %dy begin [4, 0] end [-6, 3] strides [-2, 2] : tensor<3x2xi32> to tensor<5x3xi32>
  graph.output "dx" = %dx : tensor<5x3xi32>
}
