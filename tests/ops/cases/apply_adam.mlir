// The rate is corrected already.
graph.func @scalar(%v: tensor<f64>, %m: tensor<f64>, %s: tensor<f64>, %g: tensor<f64>, %rate: tensor<f64>) {
  %new_v, %new_m, %new_s = graph.apply_adam %v, %m, %s, %g learning_rate %rate beta1 0.9 beta2 0.75 epsilon 1.0e-3 : tensor<f64>
  graph.output "new_v" = %new_v : tensor<f64>
  graph.output "new_m" = %new_m : tensor<f64>
  graph.output "new_s" = %new_s : tensor<f64>
}
graph.func @vector(%v: tensor<7xf64>, %m: tensor<7xf64>, %s: tensor<7xf64>, %g: tensor<7xf64>, %rate: tensor<f64>) {
  %new_v, %new_m, %new_s = graph.apply_adam %v, %m, %s, %g learning_rate %rate beta1 0.9 beta2 0.75 epsilon 1.0e-3 : tensor<7xf64>
  graph.output "new_v" = %new_v : tensor<7xf64>
  graph.output "new_m" = %new_m : tensor<7xf64>
  graph.output "new_s" = %new_s : tensor<7xf64>
}
graph.func @matrix(%v: tensor<3x5xf64>, %m: tensor<3x5xf64>, %s: tensor<3x5xf64>, %g: tensor<3x5xf64>, %rate: tensor<f64>) {
  %new_v, %new_m, %new_s = graph.apply_adam %v, %m, %s, %g learning_rate %rate beta1 0.9 beta2 0.75 epsilon 1.0e-3 : tensor<3x5xf64>
  graph.output "new_v" = %new_v : tensor<3x5xf64>
  graph.output "new_m" = %new_m : tensor<3x5xf64>
  graph.output "new_s" = %new_s : tensor<3x5xf64>
}
graph.func @empty(%v: tensor<0x3xf64>, %m: tensor<0x3xf64>, %s: tensor<0x3xf64>, %g: tensor<0x3xf64>, %rate: tensor<f64>) {
  %new_v, %new_m, %new_s = graph.apply_adam %v, %m, %s, %g learning_rate %rate beta1 0.9 beta2 0.75 epsilon 1.0e-3 : tensor<0x3xf64>
  graph.output "new_v" = %new_v : tensor<0x3xf64>
  graph.output "new_m" = %new_m : tensor<0x3xf64>
  graph.output "new_s" = %new_s : tensor<0x3xf64>
}
