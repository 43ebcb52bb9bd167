// rows named twice keep the last update
graph.func @rows(%x: tensor<4x3xf64>, %indices: tensor<9xi64>, %updates: tensor<9x3xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4x3xf64>, tensor<9xi64>, tensor<9x3xf64>
  graph.output "y" = %y : tensor<4x3xf64>
}

// indices of 32 bits, rows that nobody names
graph.func @words(%x: tensor<8x2xf64>, %indices: tensor<3xi32>, %updates: tensor<3x2xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<8x2xf64>, tensor<3xi32>, tensor<3x2xf64>
  graph.output "y" = %y : tensor<8x2xf64>
}

// indices of two dimensions
graph.func @matrix_indices(%x: tensor<5x2xf64>, %indices: tensor<2x3xi64>, %updates: tensor<2x3x2xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<5x2xf64>, tensor<2x3xi64>, tensor<2x3x2xf64>
  graph.output "y" = %y : tensor<5x2xf64>
}

// rows of one element
graph.func @vector(%x: tensor<4xf64>, %indices: tensor<7xi64>, %updates: tensor<7xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4xf64>, tensor<7xi64>, tensor<7xf64>
  graph.output "y" = %y : tensor<4xf64>
}

// a scalar index
graph.func @one(%x: tensor<4x3xf64>, %indices: tensor<i64>, %updates: tensor<3xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4x3xf64>, tensor<i64>, tensor<3xf64>
  graph.output "y" = %y : tensor<4x3xf64>
}

// rows of two dimensions
graph.func @blocks(%x: tensor<3x2x3xf64>, %indices: tensor<5xi64>, %updates: tensor<5x2x3xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<3x2x3xf64>, tensor<5xi64>, tensor<5x2x3xf64>
  graph.output "y" = %y : tensor<3x2x3xf64>
}

// an index outside is dropped
graph.func @outside(%x: tensor<4x3xf64>, %indices: tensor<8xi64>, %updates: tensor<8x3xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4x3xf64>, tensor<8xi64>, tensor<8x3xf64>
  graph.output "y" = %y : tensor<4x3xf64>
}

// an index outside is dropped, 32 bits
graph.func @outside_words(%x: tensor<3x2xf64>, %indices: tensor<8xi32>, %updates: tensor<8x2xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<3x2xf64>, tensor<8xi32>, tensor<8x2xf64>
  graph.output "y" = %y : tensor<3x2xf64>
}

// no index: x as it is
graph.func @empty(%x: tensor<4x3xf64>, %indices: tensor<0xi64>, %updates: tensor<0x3xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4x3xf64>, tensor<0xi64>, tensor<0x3xf64>
  graph.output "y" = %y : tensor<4x3xf64>
}

// no row: all are outside
graph.func @of_empty(%x: tensor<0x3xf64>, %indices: tensor<2xi64>, %updates: tensor<2x3xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<0x3xf64>, tensor<2xi64>, tensor<2x3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// infinities and NaN touch their rows only
graph.func @special_values(%x: tensor<4x5xf64>, %indices: tensor<2xi64>, %updates: tensor<2x5xf64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4x5xf64>, tensor<2xi64>, tensor<2x5xf64>
  graph.output "y" = %y : tensor<4x5xf64>
}

// 64 bits
graph.func @integers(%x: tensor<4x2xi64>, %indices: tensor<6xi64>, %updates: tensor<6x2xi64>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<4x2xi64>, tensor<6xi64>, tensor<6x2xi64>
  graph.output "y" = %y : tensor<4x2xi64>
}

// single bytes
graph.func @bools(%x: tensor<5xi1>, %indices: tensor<4xi64>, %updates: tensor<4xi1>) {
  %y = graph.scatter_update %x, %indices, %updates : tensor<5xi1>, tensor<4xi64>, tensor<4xi1>
  graph.output "y" = %y : tensor<5xi1>
}
