// the last axis
graph.func @rows(%x: tensor<5x7xf64>) {
  %r = graph.reduce_max %x axes [1] : tensor<5x7xf64>
  graph.output "r" = %r : tensor<5xf64>
}

// the first axis
graph.func @columns(%x: tensor<7x5xf64>) {
  %r = graph.reduce_max %x axes [0] : tensor<7x5xf64>
  graph.output "r" = %r : tensor<5xf64>
}

// two axes apart, kept
graph.func @both_ends(%x: tensor<3x4x5xf64>) {
  %r = graph.reduce_max %x axes [0, 2] keep_dims : tensor<3x4x5xf64>
  graph.output "r" = %r : tensor<1x4x1xf64>
}

// every axis
graph.func @all(%x: tensor<2x3x5xf64>) {
  %r = graph.reduce_max %x axes [0, 1, 2] : tensor<2x3x5xf64>
  graph.output "r" = %r : tensor<f64>
}

// an axis of size 1
graph.func @one(%x: tensor<4x1xf64>) {
  %r = graph.reduce_max %x axes [1] : tensor<4x1xf64>
  graph.output "r" = %r : tensor<4xf64>
}

// an axis between others
graph.func @middle(%x: tensor<3x5x4xf64>) {
  %r = graph.reduce_max %x axes [1] : tensor<3x5x4xf64>
  graph.output "r" = %r : tensor<3x4xf64>
}

// of nothing
graph.func @special_nothing(%x: tensor<3x0xf64>) {
  %r = graph.reduce_max %x axes [1] : tensor<3x0xf64>
  graph.output "r" = %r : tensor<3xf64>
}

// no result
graph.func @empty(%x: tensor<0x3xf64>) {
  %r = graph.reduce_max %x axes [1] : tensor<0x3xf64>
  graph.output "r" = %r : tensor<0xf64>
}

// wraps
graph.func @integers(%x: tensor<4x6xi32>) {
  %r = graph.reduce_max %x axes [1] : tensor<4x6xi32>
  graph.output "r" = %r : tensor<4xi32>
}

// infinities and NaN
graph.func @special_values(%x: tensor<5x5xf64>) {
  %r = graph.reduce_max %x axes [1] : tensor<5x5xf64>
  graph.output "r" = %r : tensor<5xf64>
}
