// rows of equal indices add up
graph.func @rows(%indices: tensor<9xi64>, %rows: tensor<9x3xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<9xi64>, tensor<9x3xf64> to tensor<4x3xf64>
  graph.output "dense" = %dense : tensor<4x3xf64>
}

// indices of 32 bits, rows that nobody names
graph.func @words(%indices: tensor<3xi32>, %rows: tensor<3x2xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<3xi32>, tensor<3x2xf64> to tensor<8x2xf64>
  graph.output "dense" = %dense : tensor<8x2xf64>
}

// indices of two dimensions
graph.func @matrix_indices(%indices: tensor<2x3xi64>, %rows: tensor<2x3x2xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<2x3xi64>, tensor<2x3x2xf64> to tensor<5x2xf64>
  graph.output "dense" = %dense : tensor<5x2xf64>
}

// rows of one element
graph.func @vector(%indices: tensor<7xi64>, %rows: tensor<7xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<7xi64>, tensor<7xf64> to tensor<4xf64>
  graph.output "dense" = %dense : tensor<4xf64>
}

// a scalar index
graph.func @one(%indices: tensor<i64>, %rows: tensor<3xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<i64>, tensor<3xf64> to tensor<4x3xf64>
  graph.output "dense" = %dense : tensor<4x3xf64>
}

// rows of two dimensions
graph.func @blocks(%indices: tensor<5xi64>, %rows: tensor<5x2x3xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<5xi64>, tensor<5x2x3xf64> to tensor<3x2x3xf64>
  graph.output "dense" = %dense : tensor<3x2x3xf64>
}

// an index outside is dropped
graph.func @outside(%indices: tensor<8xi64>, %rows: tensor<8x3xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<8xi64>, tensor<8x3xf64> to tensor<4x3xf64>
  graph.output "dense" = %dense : tensor<4x3xf64>
}

// an index outside is dropped, 32 bits
graph.func @outside_words(%indices: tensor<8xi32>, %rows: tensor<8x2xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<8xi32>, tensor<8x2xf64> to tensor<3x2xf64>
  graph.output "dense" = %dense : tensor<3x2xf64>
}

// no index: zeros
graph.func @empty(%indices: tensor<0xi64>, %rows: tensor<0x3xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<0xi64>, tensor<0x3xf64> to tensor<4x3xf64>
  graph.output "dense" = %dense : tensor<4x3xf64>
}

// no row to add to
graph.func @of_empty(%indices: tensor<2xi64>, %rows: tensor<2x3xf64>) {
  %dense = graph.indexed_slices %indices, %rows : tensor<2xi64>, tensor<2x3xf64> to tensor<0x3xf64>
  graph.output "dense" = %dense : tensor<0x3xf64>
}
