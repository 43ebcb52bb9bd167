// the rows of a matrix
graph.func @front(%x: tensor<3x5xf64>) {
  %a, %b, %c = graph.unstack %x axis 0 : tensor<3x5xf64>
  graph.output "a" = %a : tensor<5xf64>
  graph.output "b" = %b : tensor<5xf64>
  graph.output "c" = %c : tensor<5xf64>
}

// an axis between others
graph.func @middle(%x: tensor<3x2x4xf64>) {
  %a, %b = graph.unstack %x axis 1 : tensor<3x2x4xf64>
  graph.output "a" = %a : tensor<3x4xf64>
  graph.output "b" = %b : tensor<3x4xf64>
}

// the last axis
graph.func @back(%x: tensor<5x3xf64>) {
  %a, %b, %c = graph.unstack %x axis 1 : tensor<5x3xf64>
  graph.output "a" = %a : tensor<5xf64>
  graph.output "b" = %b : tensor<5xf64>
  graph.output "c" = %c : tensor<5xf64>
}

// to scalars
graph.func @vector(%x: tensor<4xf64>) {
  %a, %b, %c, %d = graph.unstack %x axis 0 : tensor<4xf64>
  graph.output "a" = %a : tensor<f64>
  graph.output "b" = %b : tensor<f64>
  graph.output "c" = %c : tensor<f64>
  graph.output "d" = %d : tensor<f64>
}

// a dimension of size 1
graph.func @one(%x: tensor<2x1x3xf64>) {
  %a = graph.unstack %x axis 1 : tensor<2x1x3xf64>
  graph.output "a" = %a : tensor<2x3xf64>
}

// a slice that nobody reads
graph.func @unused(%x: tensor<3x2xf64>) {
  %a, %b, %c = graph.unstack %x axis 0 : tensor<3x2xf64>
  graph.output "a" = %a : tensor<2xf64>
  graph.output "c" = %c : tensor<2xf64>
}

// no element
graph.func @empty(%x: tensor<2x0x3xf64>) {
  %a, %b = graph.unstack %x axis 0 : tensor<2x0x3xf64>
  graph.output "a" = %a : tensor<0x3xf64>
  graph.output "b" = %b : tensor<0x3xf64>
}

// 32 bits
graph.func @integers(%x: tensor<2x4xi32>) {
  %a, %b = graph.unstack %x axis 0 : tensor<2x4xi32>
  graph.output "a" = %a : tensor<4xi32>
  graph.output "b" = %b : tensor<4xi32>
}
