// A first step, one that needs more than 32 bits, and a replica's part.
graph.func @first(%step: tensor<i64>) {
  %r = graph.random_normal %step seed 7 stream "noise" mean 1.0 stddev 2.0 : tensor<4x5xf64>
  graph.output "r" = %r : tensor<4x5xf64>
}
graph.func @later(%step: tensor<i64>) {
  %r = graph.random_normal %step seed 7 stream "noise" mean 1.0 stddev 2.0 : tensor<7xf64>
  graph.output "r" = %r : tensor<7xf64>
}
graph.func @replica(%step: tensor<i64>, %replica: tensor<i64>) {
  %r = graph.random_normal %step replica %replica seed 7 stream "noise" mean 1.0 stddev 2.0 : tensor<3x2xf64>
  graph.output "r" = %r : tensor<3x2xf64>
}
