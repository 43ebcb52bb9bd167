// odd sizes
graph.func @matrix(%x: tensor<f64>) {
  %y = graph.fill %x : tensor<f64> to tensor<5x7xf64>
  graph.output "y" = %y : tensor<5x7xf64>
}

// more than one vector of lanes
graph.func @vector(%x: tensor<f64>) {
  %y = graph.fill %x : tensor<f64> to tensor<37xf64>
  graph.output "y" = %y : tensor<37xf64>
}

// four dimensions
graph.func @images(%x: tensor<f64>) {
  %y = graph.fill %x : tensor<f64> to tensor<2x3x1x5xf64>
  graph.output "y" = %y : tensor<2x3x1x5xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.fill %x : tensor<f64> to tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// no element
graph.func @empty(%x: tensor<f64>) {
  %y = graph.fill %x : tensor<f64> to tensor<3x0xf64>
  graph.output "y" = %y : tensor<3x0xf64>
}

// 64 bits
graph.func @integers(%x: tensor<i64>) {
  %y = graph.fill %x : tensor<i64> to tensor<4x3xi64>
  graph.output "y" = %y : tensor<4x3xi64>
}

// single bytes
graph.func @bools(%x: tensor<i1>) {
  %y = graph.fill %x : tensor<i1> to tensor<5xi1>
  graph.output "y" = %y : tensor<5xi1>
}
