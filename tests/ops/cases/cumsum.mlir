// the last axis
graph.func @rows(%x: tensor<5x7xf64>) {
  %y = graph.cumsum %x axis 1 : tensor<5x7xf64>
  graph.output "y" = %y : tensor<5x7xf64>
}

// the first axis
graph.func @columns(%x: tensor<7x3xf64>) {
  %y = graph.cumsum %x axis 0 : tensor<7x3xf64>
  graph.output "y" = %y : tensor<7x3xf64>
}

// without the element itself
graph.func @exclusive(%x: tensor<3x4x2xf64>) {
  %y = graph.cumsum %x axis 1 exclusive : tensor<3x4x2xf64>
  graph.output "y" = %y : tensor<3x4x2xf64>
}

// from the end
graph.func @reverse(%x: tensor<3x5xf64>) {
  %y = graph.cumsum %x axis 1 reverse : tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// both
graph.func @exclusive_reverse(%x: tensor<9xf64>) {
  %y = graph.cumsum %x axis 0 exclusive reverse : tensor<9xf64>
  graph.output "y" = %y : tensor<9xf64>
}

// wraps
graph.func @integers(%x: tensor<6xi32>) {
  %y = graph.cumsum %x axis 0 : tensor<6xi32>
  graph.output "y" = %y : tensor<6xi32>
}

// no element
graph.func @empty(%x: tensor<2x0xf64>) {
  %y = graph.cumsum %x axis 1 : tensor<2x0xf64>
  graph.output "y" = %y : tensor<2x0xf64>
}

// infinities and NaN
graph.func @special_values(%x: tensor<5x5xf64>) {
  %y = graph.cumsum %x axis 1 : tensor<5x5xf64>
  graph.output "y" = %y : tensor<5x5xf64>
}
