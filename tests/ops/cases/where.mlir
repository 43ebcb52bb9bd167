// equal shapes
graph.func @same(%c: tensor<5x7xi1>, %x: tensor<5x7xf64>, %y: tensor<5x7xf64>) {
  %r = graph.where %c, %x, %y : tensor<5x7xi1>, tensor<5x7xf64>, tensor<5x7xf64>
  graph.output "r" = %r : tensor<5x7xf64>
}

// all three broadcast
graph.func @column(%c: tensor<3x1xi1>, %x: tensor<4xf64>, %y: tensor<2x1x1xf64>) {
  %r = graph.where %c, %x, %y : tensor<3x1xi1>, tensor<4xf64>, tensor<2x1x1xf64>
  graph.output "r" = %r : tensor<2x3x4xf64>
}

// scalars to choose from
graph.func @scalar(%c: tensor<13xi1>, %x: tensor<f64>, %y: tensor<f64>) {
  %r = graph.where %c, %x, %y : tensor<13xi1>, tensor<f64>, tensor<f64>
  graph.output "r" = %r : tensor<13xf64>
}

// one condition for all
graph.func @condition(%c: tensor<i1>, %x: tensor<3x5xf64>, %y: tensor<5xf64>) {
  %r = graph.where %c, %x, %y : tensor<i1>, tensor<3x5xf64>, tensor<5xf64>
  graph.output "r" = %r : tensor<3x5xf64>
}

// any element type
graph.func @integers(%c: tensor<9xi1>, %x: tensor<9xi32>, %y: tensor<1xi32>) {
  %r = graph.where %c, %x, %y : tensor<9xi1>, tensor<9xi32>, tensor<1xi32>
  graph.output "r" = %r : tensor<9xi32>
}

// no element
graph.func @empty(%c: tensor<0x1xi1>, %x: tensor<1x3xf64>, %y: tensor<f64>) {
  %r = graph.where %c, %x, %y : tensor<0x1xi1>, tensor<1x3xf64>, tensor<f64>
  graph.output "r" = %r : tensor<0x3xf64>
}

// what is not chosen does not enter
graph.func @special_values(%c: tensor<11xi1>, %x: tensor<11xf64>, %y: tensor<11xf64>) {
  %r = graph.where %c, %x, %y : tensor<11xi1>, tensor<11xf64>, tensor<11xf64>
  graph.output "r" = %r : tensor<11xf64>
}
