// equal shapes
graph.func @same(%x: tensor<5x7xi1>, %y: tensor<5x7xi1>) {
  %r = graph.logical_or %x, %y : tensor<5x7xi1>, tensor<5x7xi1>
  graph.output "r" = %r : tensor<5x7xi1>
}

// broadcasts a column over rows
graph.func @column(%x: tensor<3x1xi1>, %y: tensor<4xi1>) {
  %r = graph.logical_or %x, %y : tensor<3x1xi1>, tensor<4xi1>
  graph.output "r" = %r : tensor<3x4xi1>
}

// broadcasts a row
graph.func @row(%x: tensor<2x3x5xi1>, %y: tensor<3x1xi1>) {
  %r = graph.logical_or %x, %y : tensor<2x3x5xi1>, tensor<3x1xi1>
  graph.output "r" = %r : tensor<2x3x5xi1>
}

// a scalar with a vector
graph.func @scalar(%x: tensor<i1>, %y: tensor<19xi1>) {
  %r = graph.logical_or %x, %y : tensor<i1>, tensor<19xi1>
  graph.output "r" = %r : tensor<19xi1>
}

// a dimension of size 0 broadcasts with 1
graph.func @empty(%x: tensor<3x1xi1>, %y: tensor<0xi1>) {
  %r = graph.logical_or %x, %y : tensor<3x1xi1>, tensor<0xi1>
  graph.output "r" = %r : tensor<3x0xi1>
}
