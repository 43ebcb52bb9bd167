// Of three replicas.
graph.func @scalar(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>) {
  %r = graph.replica_mean %a, %b, %c : tensor<f64>
  graph.output "r" = %r : tensor<f64>
}
graph.func @vector(%a: tensor<7xf64>, %b: tensor<7xf64>, %c: tensor<7xf64>) {
  %r = graph.replica_mean %a, %b, %c : tensor<7xf64>
  graph.output "r" = %r : tensor<7xf64>
}
graph.func @matrix(%a: tensor<3x5xf64>, %b: tensor<3x5xf64>, %c: tensor<3x5xf64>) {
  %r = graph.replica_mean %a, %b, %c : tensor<3x5xf64>
  graph.output "r" = %r : tensor<3x5xf64>
}
graph.func @empty(%a: tensor<0x3xf64>, %b: tensor<0x3xf64>, %c: tensor<0x3xf64>) {
  %r = graph.replica_mean %a, %b, %c : tensor<0x3xf64>
  graph.output "r" = %r : tensor<0x3xf64>
}
