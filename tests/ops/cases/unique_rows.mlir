// rows of equal indices add up at the first
graph.func @rows(%indices: tensor<9xi64>, %rows: tensor<9x3xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<9xi64>, tensor<9x3xf64>
  graph.output "unique" = %unique : tensor<9xi64>
  graph.output "sums" = %sums : tensor<9x3xf64>
}

// indices of 32 bits
graph.func @words(%indices: tensor<7xi32>, %rows: tensor<7x2xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<7xi32>, tensor<7x2xf64>
  graph.output "unique" = %unique : tensor<7xi32>
  graph.output "sums" = %sums : tensor<7x2xf64>
}

// rows of one element
graph.func @vector(%indices: tensor<8xi64>, %rows: tensor<8xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<8xi64>, tensor<8xf64>
  graph.output "unique" = %unique : tensor<8xi64>
  graph.output "sums" = %sums : tensor<8xf64>
}

// rows of two dimensions
graph.func @blocks(%indices: tensor<5xi64>, %rows: tensor<5x2x3xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<5xi64>, tensor<5x2x3xf64>
  graph.output "unique" = %unique : tensor<5xi64>
  graph.output "sums" = %sums : tensor<5x2x3xf64>
}

// a single row
graph.func @one(%indices: tensor<1xi64>, %rows: tensor<1x3xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<1xi64>, tensor<1x3xf64>
  graph.output "unique" = %unique : tensor<1xi64>
  graph.output "sums" = %sums : tensor<1x3xf64>
}

// negative and large indices are indices, too
graph.func @outside(%indices: tensor<8xi64>, %rows: tensor<8x2xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<8xi64>, tensor<8x2xf64>
  graph.output "unique" = %unique : tensor<8xi64>
  graph.output "sums" = %sums : tensor<8x2xf64>
}

// no row
graph.func @empty(%indices: tensor<0xi64>, %rows: tensor<0x3xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<0xi64>, tensor<0x3xf64>
  graph.output "unique" = %unique : tensor<0xi64>
  graph.output "sums" = %sums : tensor<0x3xf64>
}

// rows without elements
graph.func @empty_rows(%indices: tensor<4xi64>, %rows: tensor<4x0xf64>) {
  %unique, %sums = graph.unique_rows %indices, %rows : tensor<4xi64>, tensor<4x0xf64>
  graph.output "unique" = %unique : tensor<4xi64>
  graph.output "sums" = %sums : tensor<4x0xf64>
}
