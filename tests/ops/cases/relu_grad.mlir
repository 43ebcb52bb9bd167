// an odd number of elements
graph.func @matrix(%dy: tensor<5x7xf64>, %x: tensor<5x7xf64>) {
  %dx = graph.relu_grad %dy, %x : tensor<5x7xf64>
  graph.output "dx" = %dx : tensor<5x7xf64>
}

// more than one vector of lanes
graph.func @vector(%dy: tensor<37xf64>, %x: tensor<37xf64>) {
  %dx = graph.relu_grad %dy, %x : tensor<37xf64>
  graph.output "dx" = %dx : tensor<37xf64>
}

// rank 0
graph.func @scalar(%dy: tensor<f64>, %x: tensor<f64>) {
  %dx = graph.relu_grad %dy, %x : tensor<f64>
  graph.output "dx" = %dx : tensor<f64>
}

// no element
graph.func @empty(%dy: tensor<0xf64>, %x: tensor<0xf64>) {
  %dx = graph.relu_grad %dy, %x : tensor<0xf64>
  graph.output "dx" = %dx : tensor<0xf64>
}
