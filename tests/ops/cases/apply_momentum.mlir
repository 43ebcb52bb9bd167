// With the slot, plain and looking ahead.
graph.func @scalar(%v: tensor<f64>, %s: tensor<f64>, %g: tensor<f64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 : tensor<f64>
  graph.output "new_v" = %new_v : tensor<f64>
  graph.output "new_s" = %new_s : tensor<f64>
}
graph.func @vector(%v: tensor<7xf64>, %s: tensor<7xf64>, %g: tensor<7xf64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 : tensor<7xf64>
  graph.output "new_v" = %new_v : tensor<7xf64>
  graph.output "new_s" = %new_s : tensor<7xf64>
}
graph.func @matrix(%v: tensor<3x5xf64>, %s: tensor<3x5xf64>, %g: tensor<3x5xf64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 : tensor<3x5xf64>
  graph.output "new_v" = %new_v : tensor<3x5xf64>
  graph.output "new_s" = %new_s : tensor<3x5xf64>
}
graph.func @empty(%v: tensor<0x3xf64>, %s: tensor<0x3xf64>, %g: tensor<0x3xf64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 : tensor<0x3xf64>
  graph.output "new_v" = %new_v : tensor<0x3xf64>
  graph.output "new_s" = %new_s : tensor<0x3xf64>
}
graph.func @scalar_nesterov(%v: tensor<f64>, %s: tensor<f64>, %g: tensor<f64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 nesterov : tensor<f64>
  graph.output "new_v" = %new_v : tensor<f64>
  graph.output "new_s" = %new_s : tensor<f64>
}
graph.func @vector_nesterov(%v: tensor<7xf64>, %s: tensor<7xf64>, %g: tensor<7xf64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 nesterov : tensor<7xf64>
  graph.output "new_v" = %new_v : tensor<7xf64>
  graph.output "new_s" = %new_s : tensor<7xf64>
}
graph.func @matrix_nesterov(%v: tensor<3x5xf64>, %s: tensor<3x5xf64>, %g: tensor<3x5xf64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 nesterov : tensor<3x5xf64>
  graph.output "new_v" = %new_v : tensor<3x5xf64>
  graph.output "new_s" = %new_s : tensor<3x5xf64>
}
graph.func @empty_nesterov(%v: tensor<0x3xf64>, %s: tensor<0x3xf64>, %g: tensor<0x3xf64>, %rate: tensor<f64>) {
  %new_v, %new_s = graph.apply_momentum %v, %s, %g learning_rate %rate momentum 0.9 nesterov : tensor<0x3xf64>
  graph.output "new_v" = %new_v : tensor<0x3xf64>
  graph.output "new_s" = %new_s : tensor<0x3xf64>
}
