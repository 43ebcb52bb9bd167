// A first step, one that needs more than 32 bits, and a replica's part.
graph.func @first(%x: tensor<4x5xf64>, %step: tensor<i64>) {
  %y = graph.dropout %x, %step rate 0.25 seed 7 stream "noise" : tensor<4x5xf64>
  graph.output "y" = %y : tensor<4x5xf64>
}
graph.func @later(%x: tensor<7xf64>, %step: tensor<i64>) {
  %y = graph.dropout %x, %step rate 0.25 seed 7 stream "noise" : tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}
graph.func @replica(%x: tensor<3x2xf64>, %step: tensor<i64>, %replica: tensor<i64>) {
  %y = graph.dropout %x, %step replica %replica rate 0.25 seed 7 stream "noise" : tensor<3x2xf64>
  graph.output "y" = %y : tensor<3x2xf64>
}
