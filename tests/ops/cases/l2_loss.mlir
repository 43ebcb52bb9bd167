// a matrix
graph.func @matrix(%x: tensor<3x4xf64>) {
  %loss = graph.l2_loss %x : tensor<3x4xf64>
  graph.output "loss" = %loss : tensor<f64>
}

// a vector
graph.func @vector(%x: tensor<7xf64>) {
  %loss = graph.l2_loss %x : tensor<7xf64>
  graph.output "loss" = %loss : tensor<f64>
}

// a scalar
graph.func @scalar(%x: tensor<f64>) {
  %loss = graph.l2_loss %x : tensor<f64>
  graph.output "loss" = %loss : tensor<f64>
}

// nothing
graph.func @empty(%x: tensor<0x3xf64>) {
  %loss = graph.l2_loss %x : tensor<0x3xf64>
  graph.output "loss" = %loss : tensor<f64>
}
