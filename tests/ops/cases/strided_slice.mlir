// the last step is not whole
graph.func @steps(%x: tensor<5x7xf64>) {
  %y = graph.strided_slice %x begin [0, 1] end [5, 7] strides [2, 3] : tensor<5x7xf64>
  graph.output "y" = %y : tensor<3x2xf64>
}

// all of it, reversed
graph.func @backwards(%x: tensor<7xf64>) {
  %y = graph.strided_slice %x begin [6] end [-8] strides [-1] : tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// negative positions and strides
graph.func @negative(%x: tensor<4x5x6xf64>) {
  %y = graph.strided_slice %x begin [-1, -4, -2] end [0, -1, 1] strides [-2, 1, -1] : tensor<4x5x6xf64>
  graph.output "y" = %y : tensor<2x3x3xf64>
}

// a negative stride that skips
graph.func @backwards_steps(%x: tensor<8xf64>) {
  %y = graph.strided_slice %x begin [7] end [0] strides [-3] : tensor<8xf64>
  graph.output "y" = %y : tensor<3xf64>
}

// what lies outside is cut
graph.func @cut(%x: tensor<5x4xf64>) {
  %y = graph.strided_slice %x begin [-9, 2] end [3, 99] strides [1, 1] : tensor<5x4xf64>
  graph.output "y" = %y : tensor<3x2xf64>
}

// begins behind the end
graph.func @cut_backwards(%x: tensor<6xf64>) {
  %y = graph.strided_slice %x begin [50] end [-50] strides [-2] : tensor<6xf64>
  graph.output "y" = %y : tensor<3xf64>
}

// strides beyond the size
graph.func @large_strides(%x: tensor<3x4xf64>) {
  %y = graph.strided_slice %x begin [1, 3] end [3, -9] strides [99, -99] : tensor<3x4xf64>
  graph.output "y" = %y : tensor<1x1xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.strided_slice %x begin [] end [] strides [] : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// the end is before the begin
graph.func @empty(%x: tensor<4x3xf64>) {
  %y = graph.strided_slice %x begin [3, 0] end [1, 3] strides [1, 1] : tensor<4x3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// no element
graph.func @of_empty(%x: tensor<0x3xf64>) {
  %y = graph.strided_slice %x begin [0, 2] end [5, -4] strides [1, -1] : tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// 64 bits
graph.func @integers(%x: tensor<5x3xi64>) {
  %y = graph.strided_slice %x begin [4, 0] end [-6, 3] strides [-2, 2] : tensor<5x3xi64>
  graph.output "y" = %y : tensor<3x2xi64>
}
