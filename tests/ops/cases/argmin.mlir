// the last axis
graph.func @rows(%x: tensor<5x7xf64>) {
  %r = graph.argmin %x axis 1 : tensor<5x7xf64>
  graph.output "r" = %r : tensor<5xi64>
}

// the first axis
graph.func @columns(%x: tensor<7x5xf64>) {
  %r = graph.argmin %x axis 0 : tensor<7x5xf64>
  graph.output "r" = %r : tensor<5xi64>
}

// an axis between others
graph.func @middle(%x: tensor<3x5x4xf64>) {
  %r = graph.argmin %x axis 1 : tensor<3x5x4xf64>
  graph.output "r" = %r : tensor<3x4xi64>
}

// one result
graph.func @vector(%x: tensor<37xf64>) {
  %r = graph.argmin %x axis 0 : tensor<37xf64>
  graph.output "r" = %r : tensor<i64>
}

// the first of equals
graph.func @ties(%x: tensor<4x6xi32>) {
  %r = graph.argmin %x axis 1 : tensor<4x6xi32>
  graph.output "r" = %r : tensor<4xi64>
}

// no result
graph.func @empty(%x: tensor<0x3xf64>) {
  %r = graph.argmin %x axis 1 : tensor<0x3xf64>
  graph.output "r" = %r : tensor<0xi64>
}

// infinities; the first NaN
graph.func @special_values(%x: tensor<5x5xf64>) {
  %r = graph.argmin %x axis 1 : tensor<5x5xf64>
  graph.output "r" = %r : tensor<5xi64>
}
