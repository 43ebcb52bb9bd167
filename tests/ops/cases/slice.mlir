// a part of both dimensions
graph.func @matrix(%x: tensor<5x7xf64>) {
  %y = graph.slice %x begin [1, 2] size [3, 4] : tensor<5x7xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// the end
graph.func @vector(%x: tensor<9xf64>) {
  %y = graph.slice %x begin [4] size [5] : tensor<9xf64>
  graph.output "y" = %y : tensor<5xf64>
}

// four dimensions
graph.func @images(%x: tensor<2x3x5x3xf64>) {
  %y = graph.slice %x begin [1, 0, 2, 1] size [1, 3, 2, 1] : tensor<2x3x5x3xf64>
  graph.output "y" = %y : tensor<1x3x2x1xf64>
}

// everything
graph.func @whole(%x: tensor<3x4xf64>) {
  %y = graph.slice %x begin [0, 0] size [3, 4] : tensor<3x4xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// rank 0
graph.func @scalar(%x: tensor<f64>) {
  %y = graph.slice %x begin [] size [] : tensor<f64>
  graph.output "y" = %y : tensor<f64>
}

// nothing, from the end on
graph.func @empty(%x: tensor<4x3xf64>) {
  %y = graph.slice %x begin [4, 1] size [0, 2] : tensor<4x3xf64>
  graph.output "y" = %y : tensor<0x2xf64>
}

// 64 bits
graph.func @integers(%x: tensor<4x5xi64>) {
  %y = graph.slice %x begin [1, 1] size [2, 3] : tensor<4x5xi64>
  graph.output "y" = %y : tensor<2x3xi64>
}
