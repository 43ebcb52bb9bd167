// two dimensions
graph.func @matrix(%x: tensor<5x7xf64>) {
  %y = graph.shape %x : tensor<5x7xf64>
  graph.output "y" = %y : tensor<2xi64>
}

// four dimensions
graph.func @images(%x: tensor<2x3x5x1xf64>) {
  %y = graph.shape %x : tensor<2x3x5x1xf64>
  graph.output "y" = %y : tensor<4xi64>
}

// one dimension
graph.func @vector(%x: tensor<9xf64>) {
  %y = graph.shape %x : tensor<9xf64>
  graph.output "y" = %y : tensor<1xi64>
}

// rank 0: no dimension
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.shape %x : tensor<f64>
  graph.output "y" = %y : tensor<0xi64>
}

// a dimension of size 0
graph.func @empty(%x: tensor<3x0x2xf64>) {
  %y = graph.shape %x : tensor<3x0x2xf64>
  graph.output "y" = %y : tensor<3xi64>
}

// of 32 bits
graph.func @integers(%x: tensor<4x3xi32>) {
  %y = graph.shape %x : tensor<4x3xi32>
  graph.output "y" = %y : tensor<2xi64>
}
