// a batch of one
graph.func @front(%x: tensor<3x5xf64>) {
  %y = graph.expand_dims %x axis 0 : tensor<3x5xf64>
  graph.output "y" = %y : tensor<1x3x5xf64>
}

// between two dimensions
graph.func @middle(%x: tensor<3x5xf64>) {
  %y = graph.expand_dims %x axis 1 : tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x1x5xf64>
}

// behind the last dimension
graph.func @back(%x: tensor<7xf64>) {
  %y = graph.expand_dims %x axis 1 : tensor<7xf64>
  graph.output "y" = %y : tensor<7x1xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.expand_dims %x axis 0 : tensor<f64>
  graph.output "y" = %y : tensor<1xf64>
}

// no element
graph.func @empty(%x: tensor<0x3xf64>) {
  %y = graph.expand_dims %x axis 2 : tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x3x1xf64>
}

// 32 bits
graph.func @integers(%x: tensor<4xi32>) {
  %y = graph.expand_dims %x axis 0 : tensor<4xi32>
  graph.output "y" = %y : tensor<1x4xi32>
}
