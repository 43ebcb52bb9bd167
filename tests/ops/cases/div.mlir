// equal shapes
graph.func @same(%x: tensor<5x7xf64>, %y: tensor<5x7xf64>) {
  %r = graph.div %x, %y : tensor<5x7xf64>, tensor<5x7xf64>
  graph.output "r" = %r : tensor<5x7xf64>
}

// broadcasts a column over rows
graph.func @column(%x: tensor<3x1xf64>, %y: tensor<4xf64>) {
  %r = graph.div %x, %y : tensor<3x1xf64>, tensor<4xf64>
  graph.output "r" = %r : tensor<3x4xf64>
}

// broadcasts a row
graph.func @row(%x: tensor<2x3x5xf64>, %y: tensor<3x1xf64>) {
  %r = graph.div %x, %y : tensor<2x3x5xf64>, tensor<3x1xf64>
  graph.output "r" = %r : tensor<2x3x5xf64>
}

// a scalar with a vector
graph.func @scalar(%x: tensor<f64>, %y: tensor<19xf64>) {
  %r = graph.div %x, %y : tensor<f64>, tensor<19xf64>
  graph.output "r" = %r : tensor<19xf64>
}

// a dimension of size 0 broadcasts with 1
graph.func @empty(%x: tensor<3x1xf64>, %y: tensor<0xf64>) {
  %r = graph.div %x, %y : tensor<3x1xf64>, tensor<0xf64>
  graph.output "r" = %r : tensor<3x0xf64>
}

// infinities, NaN, zeros: every pair
graph.func @special_values(%x: tensor<11x1xf64>, %y: tensor<1x11xf64>) {
  %r = graph.div %x, %y : tensor<11x1xf64>, tensor<1x11xf64>
  graph.output "r" = %r : tensor<11x11xf64>
}

// wraps; division truncates, by 0 gives 0
graph.func @integers(%x: tensor<9x1xi32>, %y: tensor<1x9xi32>) {
  %r = graph.div %x, %y : tensor<9x1xi32>, tensor<1x9xi32>
  graph.output "r" = %r : tensor<9x9xi32>
}

// 64 bits
graph.func @longs(%x: tensor<5x1xi64>, %y: tensor<1x5xi64>) {
  %r = graph.div %x, %y : tensor<5x1xi64>, tensor<1x5xi64>
  graph.output "r" = %r : tensor<5x5xi64>
}
