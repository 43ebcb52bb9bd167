// three times
graph.func @vector(%x: tensor<5xf64>) {
  %y = graph.tile %x multiples [3] : tensor<5xf64>
  graph.output "y" = %y : tensor<15xf64>
}

// along both dimensions
graph.func @matrix(%x: tensor<3x2xf64>) {
  %y = graph.tile %x multiples [2, 3] : tensor<3x2xf64>
  graph.output "y" = %y : tensor<6x6xf64>
}

// an axis between others
graph.func @middle(%x: tensor<2x3x4xf64>) {
  %y = graph.tile %x multiples [1, 2, 1] : tensor<2x3x4xf64>
  graph.output "y" = %y : tensor<2x6x4xf64>
}

// nothing is repeated
graph.func @once(%x: tensor<3x4xf64>) {
  %y = graph.tile %x multiples [1, 1] : tensor<3x4xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.tile %x multiples [] : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// 0 times
graph.func @empty(%x: tensor<3x4xf64>) {
  %y = graph.tile %x multiples [2, 0] : tensor<3x4xf64>
  graph.output "y" = %y : tensor<6x0xf64>
}

// no element
graph.func @of_empty(%x: tensor<0x3xf64>) {
  %y = graph.tile %x multiples [2, 2] : tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x6xf64>
}

// 32 bits
graph.func @integers(%x: tensor<2x3xi32>) {
  %y = graph.tile %x multiples [2, 2] : tensor<2x3xi32>
  graph.output "y" = %y : tensor<4x6xi32>
}
