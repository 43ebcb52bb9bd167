// one row
graph.func @vector(%x: tensor<7xf64>) {
  %y = graph.softmax %x : tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// rows
graph.func @matrix(%x: tensor<3x5xf64>) {
  %y = graph.softmax %x : tensor<3x5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// rows of more dimensions
graph.func @sequences(%x: tensor<2x3x4xf64>) {
  %y = graph.softmax %x : tensor<2x3x4xf64>
  graph.output "y" = %y : tensor<2x3x4xf64>
}

// one class is certain
graph.func @one_class(%x: tensor<4x1xf64>) {
  %y = graph.softmax %x : tensor<4x1xf64>
  graph.output "y" = %y : tensor<4x1xf64>
}

// no row
graph.func @empty(%x: tensor<0x3xf64>) {
  %y = graph.softmax %x : tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// nothing overflows; a NaN spoils its row only
graph.func @special_large(%x: tensor<3x3xf64>) {
  %y = graph.softmax %x : tensor<3x3xf64>
  graph.output "y" = %y : tensor<3x3xf64>
}
