// unequal pieces of the last axis
graph.func @columns(%x: tensor<3x7xf64>) {
  %a, %b, %c = graph.split %x axis 1 sizes [2, 4, 1] : tensor<3x7xf64>
  graph.output "a" = %a : tensor<3x2xf64>
  graph.output "b" = %b : tensor<3x4xf64>
  graph.output "c" = %c : tensor<3x1xf64>
}

// pieces of the first axis
graph.func @rows(%x: tensor<5x3xf64>) {
  %a, %b = graph.split %x axis 0 sizes [3, 2] : tensor<5x3xf64>
  graph.output "a" = %a : tensor<3x3xf64>
  graph.output "b" = %b : tensor<2x3xf64>
}

// an axis between others
graph.func @middle(%x: tensor<2x5x3xf64>) {
  %a, %b = graph.split %x axis 1 sizes [1, 4] : tensor<2x5x3xf64>
  graph.output "a" = %a : tensor<2x1x3xf64>
  graph.output "b" = %b : tensor<2x4x3xf64>
}

// one piece
graph.func @one(%x: tensor<7xf64>) {
  %a = graph.split %x axis 0 sizes [7] : tensor<7xf64>
  graph.output "a" = %a : tensor<7xf64>
}

// a piece that nobody reads
graph.func @unused(%x: tensor<6xf64>) {
  %a, %b, %c = graph.split %x axis 0 sizes [2, 3, 1] : tensor<6xf64>
  graph.output "a" = %a : tensor<2xf64>
  graph.output "c" = %c : tensor<1xf64>
}

// a piece without elements
graph.func @empty_piece(%x: tensor<2x4xf64>) {
  %a, %b, %c = graph.split %x axis 1 sizes [3, 0, 1] : tensor<2x4xf64>
  graph.output "a" = %a : tensor<2x3xf64>
  graph.output "b" = %b : tensor<2x0xf64>
  graph.output "c" = %c : tensor<2x1xf64>
}

// no element
graph.func @empty(%x: tensor<0x5xf64>) {
  %a, %b = graph.split %x axis 1 sizes [2, 3] : tensor<0x5xf64>
  graph.output "a" = %a : tensor<0x2xf64>
  graph.output "b" = %b : tensor<0x3xf64>
}

// 64 bits
graph.func @integers(%x: tensor<3x3xi64>) {
  %a, %b = graph.split %x axis 0 sizes [2, 1] : tensor<3x3xi64>
  graph.output "a" = %a : tensor<2x3xi64>
  graph.output "b" = %b : tensor<1x3xi64>
}
