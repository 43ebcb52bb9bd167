// rows
graph.func @matrix(%x: tensor<3x5xf64>, %bias: tensor<5xf64>) {
  %r = graph.bias_add %x, %bias : tensor<3x5xf64>, tensor<5xf64>
  graph.output "r" = %r : tensor<3x5xf64>
}

// channels of images
graph.func @images(%x: tensor<2x3x2x4xf64>, %bias: tensor<4xf64>) {
  %r = graph.bias_add %x, %bias : tensor<2x3x2x4xf64>, tensor<4xf64>
  graph.output "r" = %r : tensor<2x3x2x4xf64>
}

// a vector on a vector
graph.func @vector(%x: tensor<5xf64>, %bias: tensor<5xf64>) {
  %r = graph.bias_add %x, %bias : tensor<5xf64>, tensor<5xf64>
  graph.output "r" = %r : tensor<5xf64>
}

// no row
graph.func @empty(%x: tensor<0x3xf64>, %bias: tensor<3xf64>) {
  %r = graph.bias_add %x, %bias : tensor<0x3xf64>, tensor<3xf64>
  graph.output "r" = %r : tensor<0x3xf64>
}
