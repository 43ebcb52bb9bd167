// an odd number of elements
graph.func @matrix(%x: tensor<5x7xi1>) {
  %y = graph.logical_not %x : tensor<5x7xi1>
  graph.output "y" = %y : tensor<5x7xi1>
}

// more than one vector of lanes
graph.func @vector(%x: tensor<37xi1>) {
  %y = graph.logical_not %x : tensor<37xi1>
  graph.output "y" = %y : tensor<37xi1>
}

// rank 0
graph.func @scalar(%x: tensor<i1>) {
  %y = graph.logical_not %x : tensor<i1>
  graph.output "y" = %y : tensor<i1>
}

// no element
graph.func @empty(%x: tensor<3x0xi1>) {
  %y = graph.logical_not %x : tensor<3x0xi1>
  graph.output "y" = %y : tensor<3x0xi1>
}
