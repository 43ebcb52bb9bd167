// every dimension of size 1
graph.func @all(%x: tensor<1x3x1x5xf64>) {
  %y = graph.squeeze %x axes [0, 2] : tensor<1x3x1x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// one of two dimensions of size 1
graph.func @some(%x: tensor<1x7x1xf64>) {
  %y = graph.squeeze %x axes [2] : tensor<1x7x1xf64>
  graph.output "y" = %y : tensor<1x7xf64>
}

// axes in any order
graph.func @unordered(%x: tensor<1x3x1x5x1xf64>) {
  %y = graph.squeeze %x axes [4, 0] : tensor<1x3x1x5x1xf64>
  graph.output "y" = %y : tensor<3x1x5xf64>
}

// nothing is left
graph.func @to_scalar(%x: tensor<1x1xf64>) {
  %y = graph.squeeze %x axes [0, 1] : tensor<1x1xf64>
  graph.output "y" = %y : tensor<f64>
}

// no axis
graph.func @none(%x: tensor<2x3xf64>) {
  %y = graph.squeeze %x axes [] : tensor<2x3xf64>
  graph.output "y" = %y : tensor<2x3xf64>
}

// no element
graph.func @empty(%x: tensor<0x1x3xf64>) {
  %y = graph.squeeze %x axes [1] : tensor<0x1x3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// 64 bits
graph.func @integers(%x: tensor<1x4xi64>) {
  %y = graph.squeeze %x axes [0] : tensor<1x4xi64>
  graph.output "y" = %y : tensor<4xi64>
}
