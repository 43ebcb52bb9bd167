// odd sizes
graph.func @plain(%a: tensor<3x5xf64>, %b: tensor<5x4xf64>) {
  %r = graph.matmul %a, %b : tensor<3x5xf64>, tensor<5x4xf64>
  graph.output "r" = %r : tensor<3x4xf64>
}

// the first operand transposed
graph.func @transpose_a(%a: tensor<5x3xf64>, %b: tensor<5x4xf64>) {
  %r = graph.matmul %a, %b transpose_a : tensor<5x3xf64>, tensor<5x4xf64>
  graph.output "r" = %r : tensor<3x4xf64>
}

// the second operand transposed
graph.func @transpose_b(%a: tensor<3x5xf64>, %b: tensor<4x5xf64>) {
  %r = graph.matmul %a, %b transpose_b : tensor<3x5xf64>, tensor<4x5xf64>
  graph.output "r" = %r : tensor<3x4xf64>
}

// both transposed
graph.func @transpose_both(%a: tensor<5x3xf64>, %b: tensor<4x5xf64>) {
  %r = graph.matmul %a, %b transpose_a transpose_b : tensor<5x3xf64>, tensor<4x5xf64>
  graph.output "r" = %r : tensor<3x4xf64>
}

// one element
graph.func @row_by_column(%a: tensor<1x7xf64>, %b: tensor<7x1xf64>) {
  %r = graph.matmul %a, %b : tensor<1x7xf64>, tensor<7x1xf64>
  graph.output "r" = %r : tensor<1x1xf64>
}

// more columns than a panel of vectors has
graph.func @wide(%a: tensor<2x3xf64>, %b: tensor<3x37xf64>) {
  %r = graph.matmul %a, %b : tensor<2x3xf64>, tensor<3x37xf64>
  graph.output "r" = %r : tensor<2x37xf64>
}

// a sum of nothing is 0
graph.func @sum_of_nothing(%a: tensor<2x0xf64>, %b: tensor<0x3xf64>) {
  %r = graph.matmul %a, %b : tensor<2x0xf64>, tensor<0x3xf64>
  graph.output "r" = %r : tensor<2x3xf64>
}

// an infinity and a NaN
graph.func @special_values(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>) {
  %r = graph.matmul %a, %b : tensor<3x3xf64>, tensor<3x2xf64>
  graph.output "r" = %r : tensor<3x2xf64>
}
