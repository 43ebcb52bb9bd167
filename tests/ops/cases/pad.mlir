// zeros on three sides
graph.func @matrix(%x: tensor<3x5xf64>) {
  %y = graph.pad %x before [1, 2] after [1, 0] value 0.0 : tensor<3x5xf64>
  graph.output "y" = %y : tensor<5x7xf64>
}

// a value that f32 rounds
graph.func @value(%x: tensor<4xf64>) {
  %y = graph.pad %x before [3] after [2] value -0.1 : tensor<4xf64>
  graph.output "y" = %y : tensor<9xf64>
}

// height and width
graph.func @images(%x: tensor<2x3x2x3xf64>) {
  %y = graph.pad %x before [0, 1, 2, 0] after [0, 1, 0, 0] value 1.5 : tensor<2x3x2x3xf64>
  graph.output "y" = %y : tensor<2x5x4x3xf64>
}

// adds nothing
graph.func @none(%x: tensor<3x4xf64>) {
  %y = graph.pad %x before [0, 0] after [0, 0] value 7.0 : tensor<3x4xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.pad %x before [] after [] value 7.0 : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// nothing but the value
graph.func @of_empty(%x: tensor<0x3xf64>) {
  %y = graph.pad %x before [2, 0] after [1, 1] value 2.5 : tensor<0x3xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// no element
graph.func @empty(%x: tensor<0x3xf64>) {
  %y = graph.pad %x before [0, 1] after [0, 1] value 2.5 : tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x5xf64>
}

// 32 bits
graph.func @integers(%x: tensor<2x3xi32>) {
  %y = graph.pad %x before [1, 0] after [0, 2] value -7.0 : tensor<2x3xi32>
  graph.output "y" = %y : tensor<3x5xi32>
}

// true around
graph.func @bools(%x: tensor<2x3xi1>) {
  %y = graph.pad %x before [1, 1] after [1, 1] value 1.0 : tensor<2x3xi1>
  graph.output "y" = %y : tensor<4x5xi1>
}

// infinities, NaN and -0
graph.func @special_values(%x: tensor<2x5xf64>) {
  %y = graph.pad %x before [0, 1] after [1, 0] value 3.0 : tensor<2x5xf64>
  graph.output "y" = %y : tensor<3x6xf64>
}

// mirrors without the border
graph.func @reflect_matrix(%x: tensor<4x5xf64>) {
  %y = graph.pad %x before [1, 2] after [2, 3] reflect : tensor<4x5xf64>
  graph.output "y" = %y : tensor<7x10xf64>
}

// as much as there is
graph.func @reflect_most(%x: tensor<3xf64>) {
  %y = graph.pad %x before [2] after [2] reflect : tensor<3xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// a dimension of size 1 does not grow
graph.func @reflect_unit(%x: tensor<1x4x2xf64>) {
  %y = graph.pad %x before [0, 3, 1] after [0, 1, 0] reflect : tensor<1x4x2xf64>
  graph.output "y" = %y : tensor<1x8x3xf64>
}

// rank 0
graph.func @reflect_scalar(%x: tensor<f64>) {
  %y = graph.pad %x before [] after [] reflect : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// no element
graph.func @reflect_empty(%x: tensor<0x3xf64>) {
  %y = graph.pad %x before [0, 1] after [0, 2] reflect : tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x6xf64>
}

// 64 bits
graph.func @reflect_integers(%x: tensor<3x3xi64>) {
  %y = graph.pad %x before [2, 1] after [0, 2] reflect : tensor<3x3xi64>
  graph.output "y" = %y : tensor<5x6xi64>
}
