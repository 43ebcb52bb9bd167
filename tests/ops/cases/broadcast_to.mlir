// a column to a matrix
graph.func @column(%x: tensor<3x1xf64>) {
  %y = graph.broadcast_to %x : tensor<3x1xf64> to tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// a new first dimension
graph.func @row(%x: tensor<5xf64>) {
  %y = graph.broadcast_to %x : tensor<5xf64> to tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// dimensions of size 1 between others
graph.func @middle(%x: tensor<2x1x3x1xf64>) {
  %y = graph.broadcast_to %x : tensor<2x1x3x1xf64> to tensor<2x4x3x2xf64>
  graph.output "y" = %y : tensor<2x4x3x2xf64>
}

// rank 0 to a matrix
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.broadcast_to %x : tensor<f64> to tensor<5x7xf64>
  graph.output "y" = %y : tensor<5x7xf64>
}

// more dimensions of size 1
graph.func @ones(%x: tensor<3xf64>) {
  %y = graph.broadcast_to %x : tensor<3xf64> to tensor<1x1x3xf64>
  graph.output "y" = %y : tensor<1x1x3xf64>
}

// the same shape
graph.func @same(%x: tensor<3x5xf64>) {
  %y = graph.broadcast_to %x : tensor<3x5xf64> to tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// 1 to 0
graph.func @empty(%x: tensor<1x3xf64>) {
  %y = graph.broadcast_to %x : tensor<1x3xf64> to tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// a new dimension of no element
graph.func @of_empty(%x: tensor<0x3xf64>) {
  %y = graph.broadcast_to %x : tensor<0x3xf64> to tensor<2x0x3xf64>
  graph.output "y" = %y : tensor<2x0x3xf64>
}

// 32 bits
graph.func @integers(%x: tensor<4x1xi32>) {
  %y = graph.broadcast_to %x : tensor<4x1xi32> to tensor<4x3xi32>
  graph.output "y" = %y : tensor<4x3xi32>
}
