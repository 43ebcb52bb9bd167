// odd sizes
graph.func @plain(%a: tensor<2x3x4xf64>, %b: tensor<2x4x5xf64>) {
  %r = graph.batch_matmul %a, %b : tensor<2x3x4xf64>, tensor<2x4x5xf64>
  graph.output "r" = %r : tensor<2x3x5xf64>
}

// the first operand transposed
graph.func @transpose_a(%a: tensor<2x4x3xf64>, %b: tensor<2x4x5xf64>) {
  %r = graph.batch_matmul %a, %b transpose_a : tensor<2x4x3xf64>, tensor<2x4x5xf64>
  graph.output "r" = %r : tensor<2x3x5xf64>
}

// the second operand transposed
graph.func @transpose_b(%a: tensor<2x2x3x4xf64>, %b: tensor<2x2x5x4xf64>) {
  %r = graph.batch_matmul %a, %b transpose_b : tensor<2x2x3x4xf64>, tensor<2x2x5x4xf64>
  graph.output "r" = %r : tensor<2x2x3x5xf64>
}

// both transposed
graph.func @transpose_both(%a: tensor<3x4x3xf64>, %b: tensor<3x2x4xf64>) {
  %r = graph.batch_matmul %a, %b transpose_a transpose_b : tensor<3x4x3xf64>, tensor<3x2x4xf64>
  graph.output "r" = %r : tensor<3x3x2xf64>
}

// each operand repeated along a dimension of its own
graph.func @broadcast_both(%a: tensor<3x1x2x4xf64>, %b: tensor<2x4x3xf64>) {
  %r = graph.batch_matmul %a, %b : tensor<3x1x2x4xf64>, tensor<2x4x3xf64>
  graph.output "r" = %r : tensor<3x2x2x3xf64>
}

// one matrix, transposed, for all
graph.func @broadcast_transpose_b(%a: tensor<5x2x3xf64>, %b: tensor<1x4x3xf64>) {
  %r = graph.batch_matmul %a, %b transpose_b : tensor<5x2x3xf64>, tensor<1x4x3xf64>
  graph.output "r" = %r : tensor<5x2x4xf64>
}

// a missing dimension before a transposed matrix
graph.func @broadcast_transpose_a(%a: tensor<3x2xf64>, %b: tensor<2x1x3x4xf64>) {
  %r = graph.batch_matmul %a, %b transpose_a : tensor<3x2xf64>, tensor<2x1x3x4xf64>
  graph.output "r" = %r : tensor<2x1x2x4xf64>
}

// no batch
graph.func @matrices(%a: tensor<3x5xf64>, %b: tensor<5x2xf64>) {
  %r = graph.batch_matmul %a, %b : tensor<3x5xf64>, tensor<5x2xf64>
  graph.output "r" = %r : tensor<3x2xf64>
}

// no matrix
graph.func @empty_batch(%a: tensor<0x2x3xf64>, %b: tensor<0x3x4xf64>) {
  %r = graph.batch_matmul %a, %b : tensor<0x2x3xf64>, tensor<0x3x4xf64>
  graph.output "r" = %r : tensor<0x2x4xf64>
}
