// odd sizes
graph.func @matrix(%x: tensor<5x7xf64>) {
  %y = graph.transpose %x perm [1, 0] : tensor<5x7xf64>
  graph.output "y" = %y : tensor<7x5xf64>
}

// no permutation of two
graph.func @rotate(%x: tensor<2x3x5xf64>) {
  %y = graph.transpose %x perm [2, 0, 1] : tensor<2x3x5xf64>
  graph.output "y" = %y : tensor<5x2x3xf64>
}

// channels to the front
graph.func @channels(%x: tensor<2x3x4x5xf64>) {
  %y = graph.transpose %x perm [0, 3, 1, 2] : tensor<2x3x4x5xf64>
  graph.output "y" = %y : tensor<2x5x3x4xf64>
}

// nothing moves
graph.func @identity(%x: tensor<3x4xf64>) {
  %y = graph.transpose %x perm [0, 1] : tensor<3x4xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// dimensions of size 1
graph.func @units(%x: tensor<1x5x1x3xf64>) {
  %y = graph.transpose %x perm [3, 2, 1, 0] : tensor<1x5x1x3xf64>
  graph.output "y" = %y : tensor<3x1x5x1xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.transpose %x perm [] : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// no element
graph.func @empty(%x: tensor<3x0x2xf64>) {
  %y = graph.transpose %x perm [2, 0, 1] : tensor<3x0x2xf64>
  graph.output "y" = %y : tensor<2x3x0xf64>
}

// single bytes
graph.func @bools(%x: tensor<3x5xi1>) {
  %y = graph.transpose %x perm [1, 0] : tensor<3x5xi1>
  graph.output "y" = %y : tensor<5x3xi1>
}

// 64 bits
graph.func @integers(%x: tensor<2x3x4xi64>) {
  %y = graph.transpose %x perm [1, 2, 0] : tensor<2x3x4xi64>
  graph.output "y" = %y : tensor<3x4x2xi64>
}
