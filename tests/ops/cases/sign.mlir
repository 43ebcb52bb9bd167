// an odd number of elements
graph.func @matrix(%x: tensor<5x7xf64>) {
  %y = graph.sign %x : tensor<5x7xf64>
  graph.output "y" = %y : tensor<5x7xf64>
}

// more than one vector of lanes
graph.func @vector(%x: tensor<37xf64>) {
  %y = graph.sign %x : tensor<37xf64>
  graph.output "y" = %y : tensor<37xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.sign %x : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// no element
graph.func @empty(%x: tensor<3x0xf64>) {
  %y = graph.sign %x : tensor<3x0xf64>
  graph.output "y" = %y : tensor<3x0xf64>
}

// infinities, NaN, zeros and large numbers
graph.func @special_values(%x: tensor<9xf64>) {
  %y = graph.sign %x : tensor<9xf64>
  graph.output "y" = %y : tensor<9xf64>
}

// wraps
graph.func @integers(%x: tensor<6xi32>) {
  %y = graph.sign %x : tensor<6xi32>
  graph.output "y" = %y : tensor<6xi32>
}
