// an odd number of elements
graph.func @matrix(%c: tensor<5x7xi1>, %x: tensor<5x7xf64>, %y: tensor<5x7xf64>) {
  %r = graph.select %c, %x, %y : tensor<5x7xi1>, tensor<5x7xf64>, tensor<5x7xf64>
  graph.output "r" = %r : tensor<5x7xf64>
}

// more than one vector of lanes
graph.func @vector(%c: tensor<37xi1>, %x: tensor<37xf64>, %y: tensor<37xf64>) {
  %r = graph.select %c, %x, %y : tensor<37xi1>, tensor<37xf64>, tensor<37xf64>
  graph.output "r" = %r : tensor<37xf64>
}

// rank 0
graph.func @scalar(%c: tensor<i1>, %x: tensor<f64>, %y: tensor<f64>) {
  %r = graph.select %c, %x, %y : tensor<i1>, tensor<f64>, tensor<f64>
  graph.output "r" = %r : tensor<f64>
}

// any element type
graph.func @integers(%c: tensor<9xi1>, %x: tensor<9xi64>, %y: tensor<9xi64>) {
  %r = graph.select %c, %x, %y : tensor<9xi1>, tensor<9xi64>, tensor<9xi64>
  graph.output "r" = %r : tensor<9xi64>
}

// no element
graph.func @empty(%c: tensor<0x2xi1>, %x: tensor<0x2xf64>, %y: tensor<0x2xf64>) {
  %r = graph.select %c, %x, %y : tensor<0x2xi1>, tensor<0x2xf64>, tensor<0x2xf64>
  graph.output "r" = %r : tensor<0x2xf64>
}

// what is not chosen does not enter
graph.func @special_values(%c: tensor<11xi1>, %x: tensor<11xf64>, %y: tensor<11xf64>) {
  %r = graph.select %c, %x, %y : tensor<11xi1>, tensor<11xf64>, tensor<11xf64>
  graph.output "r" = %r : tensor<11xf64>
}
