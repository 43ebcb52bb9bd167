// One step down the gradient.
graph.func @scalar(%v: tensor<f64>, %g: tensor<f64>, %rate: tensor<f64>) {
  %new_v = graph.apply_gradient_descent %v, %g learning_rate %rate : tensor<f64>
  graph.output "new_v" = %new_v : tensor<f64>
}
graph.func @vector(%v: tensor<7xf64>, %g: tensor<7xf64>, %rate: tensor<f64>) {
  %new_v = graph.apply_gradient_descent %v, %g learning_rate %rate : tensor<7xf64>
  graph.output "new_v" = %new_v : tensor<7xf64>
}
graph.func @matrix(%v: tensor<3x5xf64>, %g: tensor<3x5xf64>, %rate: tensor<f64>) {
  %new_v = graph.apply_gradient_descent %v, %g learning_rate %rate : tensor<3x5xf64>
  graph.output "new_v" = %new_v : tensor<3x5xf64>
}
graph.func @empty(%v: tensor<0x3xf64>, %g: tensor<0x3xf64>, %rate: tensor<f64>) {
  %new_v = graph.apply_gradient_descent %v, %g learning_rate %rate : tensor<0x3xf64>
  graph.output "new_v" = %new_v : tensor<0x3xf64>
}
