// another matrix
graph.func @matrix(%x: tensor<3x4xf64>) {
  %y = graph.reshape %x : tensor<3x4xf64> to tensor<2x6xf64>
  graph.output "y" = %y : tensor<2x6xf64>
}

// to a vector
graph.func @flatten(%x: tensor<2x3x5xf64>) {
  %y = graph.reshape %x : tensor<2x3x5xf64> to tensor<30xf64>
  graph.output "y" = %y : tensor<30xf64>
}

// a vector to four dimensions
graph.func @images(%x: tensor<24xf64>) {
  %y = graph.reshape %x : tensor<24xf64> to tensor<2x3x4x1xf64>
  graph.output "y" = %y : tensor<2x3x4x1xf64>
}

// one element to rank 0
graph.func @to_scalar(%x: tensor<1x1xf64>) {
  %y = graph.reshape %x : tensor<1x1xf64> to tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// rank 0 to one element
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.reshape %x : tensor<f64> to tensor<1x1x1xf64>
  graph.output "y" = %y : tensor<1x1x1xf64>
}

// the same shape
graph.func @same(%x: tensor<3x5xf64>) {
  %y = graph.reshape %x : tensor<3x5xf64> to tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// no element
graph.func @empty(%x: tensor<0x3xf64>) {
  %y = graph.reshape %x : tensor<0x3xf64> to tensor<5x0x2xf64>
  graph.output "y" = %y : tensor<5x0x2xf64>
}

// 64 bits
graph.func @integers(%x: tensor<2x3xi64>) {
  %y = graph.reshape %x : tensor<2x3xi64> to tensor<3x2xi64>
  graph.output "y" = %y : tensor<3x2xi64>
}
