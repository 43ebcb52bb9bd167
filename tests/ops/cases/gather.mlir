// rows, some twice
graph.func @rows(%x: tensor<5x3xf64>, %indices: tensor<7xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<5x3xf64>, tensor<7xi64>
  graph.output "y" = %y : tensor<7x3xf64>
}

// the last axis
graph.func @columns(%x: tensor<3x5xf64>, %indices: tensor<4xi64>) {
  %y = graph.gather %x, %indices axis 1 : tensor<3x5xf64>, tensor<4xi64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// an axis between others
graph.func @middle(%x: tensor<2x4x3xf64>, %indices: tensor<5xi32>) {
  %y = graph.gather %x, %indices axis 1 : tensor<2x4x3xf64>, tensor<5xi32>
  graph.output "y" = %y : tensor<2x5x3xf64>
}

// indices of two dimensions
graph.func @matrix_indices(%x: tensor<6x3xf64>, %indices: tensor<2x3xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<6x3xf64>, tensor<2x3xi64>
  graph.output "y" = %y : tensor<2x3x3xf64>
}

// indices of two dimensions between others
graph.func @matrix_middle(%x: tensor<2x5x3xf64>, %indices: tensor<2x2xi64>) {
  %y = graph.gather %x, %indices axis 1 : tensor<2x5x3xf64>, tensor<2x2xi64>
  graph.output "y" = %y : tensor<2x2x2x3xf64>
}

// a scalar index drops the axis
graph.func @one(%x: tensor<4x3xf64>, %indices: tensor<i64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<4x3xf64>, tensor<i64>
  graph.output "y" = %y : tensor<3xf64>
}

// elements of a vector
graph.func @vector(%x: tensor<9xf64>, %indices: tensor<5xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<9xf64>, tensor<5xi64>
  graph.output "y" = %y : tensor<5xf64>
}

// indices of a byte
graph.func @bytes(%x: tensor<5x2xf64>, %indices: tensor<4xui8>) {
  %y = graph.gather %x, %indices axis 0 : tensor<5x2xf64>, tensor<4xui8>
  graph.output "y" = %y : tensor<4x2xf64>
}

// zeros for an index outside
graph.func @outside(%x: tensor<4x3xf64>, %indices: tensor<8xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<4x3xf64>, tensor<8xi64>
  graph.output "y" = %y : tensor<8x3xf64>
}

// zeros for an index outside, another axis
graph.func @outside_columns(%x: tensor<3x4xf64>, %indices: tensor<8xi32>) {
  %y = graph.gather %x, %indices axis 1 : tensor<3x4xf64>, tensor<8xi32>
  graph.output "y" = %y : tensor<3x8xf64>
}

// no index
graph.func @empty(%x: tensor<4x3xf64>, %indices: tensor<0xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<4x3xf64>, tensor<0xi64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// an axis without elements: zeros
graph.func @of_empty(%x: tensor<0x3xf64>, %indices: tensor<2xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<0x3xf64>, tensor<2xi64>
  graph.output "y" = %y : tensor<2x3xf64>
}

// rows without elements
graph.func @empty_rows(%x: tensor<4x0xf64>, %indices: tensor<3xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<4x0xf64>, tensor<3xi64>
  graph.output "y" = %y : tensor<3x0xf64>
}

// zeros outside, where x holds no number
graph.func @special_outside(%x: tensor<4x3xf64>, %indices: tensor<8xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<4x3xf64>, tensor<8xi64>
  graph.output "y" = %y : tensor<8x3xf64>
}

// 64 bits
graph.func @integers(%x: tensor<4x3xi64>, %indices: tensor<5xi32>) {
  %y = graph.gather %x, %indices axis 0 : tensor<4x3xi64>, tensor<5xi32>
  graph.output "y" = %y : tensor<5x3xi64>
}

// single bytes; false outside
graph.func @bools(%x: tensor<6xi1>, %indices: tensor<8xi64>) {
  %y = graph.gather %x, %indices axis 0 : tensor<6xi1>, tensor<8xi64>
  graph.output "y" = %y : tensor<8xi1>
}
