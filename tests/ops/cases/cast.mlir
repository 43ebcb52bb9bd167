// a type to itself
graph.func @same_matrix(%x: tensor<5x7xf64>) {
  %y = graph.cast %x : tensor<5x7xf64> to tensor<5x7xf64>
  graph.output "y" = %y : tensor<5x7xf64>
}

// truncates toward zero
graph.func @to_integer(%x: tensor<9xf64>) {
  %y = graph.cast %x : tensor<9xf64> to tensor<9xi32>
  graph.output "y" = %y : tensor<9xi32>
}

// truncates toward zero
graph.func @to_long(%x: tensor<3x3xf64>) {
  %y = graph.cast %x : tensor<3x3xf64> to tensor<3x3xi64>
  graph.output "y" = %y : tensor<3x3xi64>
}

// whether it is not 0
graph.func @to_bool(%x: tensor<9xf64>) {
  %y = graph.cast %x : tensor<9xf64> to tensor<9xi1>
  graph.output "y" = %y : tensor<9xi1>
}

// exact
graph.func @from_integer(%x: tensor<2x5xi32>) {
  %y = graph.cast %x : tensor<2x5xi32> to tensor<2x5xf64>
  graph.output "y" = %y : tensor<2x5xf64>
}

// exact
graph.func @from_long(%x: tensor<7xi64>) {
  %y = graph.cast %x : tensor<7xi64> to tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// 0 or 1
graph.func @from_bool(%x: tensor<9xi1>) {
  %y = graph.cast %x : tensor<9xi1> to tensor<9xf64>
  graph.output "y" = %y : tensor<9xf64>
}

// keeps the low bits
graph.func @wraps(%x: tensor<9xi64>) {
  %y = graph.cast %x : tensor<9xi64> to tensor<9xi32>
  graph.output "y" = %y : tensor<9xi32>
}

// no element
graph.func @empty(%x: tensor<0x3xf64>) {
  %y = graph.cast %x : tensor<0x3xf64> to tensor<0x3xi64>
  graph.output "y" = %y : tensor<0x3xi64>
}

// saturates; a NaN becomes 0
graph.func @special_values(%x: tensor<9xf64>) {
  %y = graph.cast %x : tensor<9xf64> to tensor<9xi32>
  graph.output "y" = %y : tensor<9xi32>
}
