// the largest of each row
graph.func @rows(%x: tensor<5x7xf64>) {
  %v, %i = graph.top_k %x k 3 : tensor<5x7xf64>
  graph.output "values" = %v : tensor<5x3xf64>
  graph.output "indices" = %i : tensor<5x3xi32>
}

// one row
graph.func @vector(%x: tensor<37xf64>) {
  %v, %i = graph.top_k %x k 5 : tensor<37xf64>
  graph.output "values" = %v : tensor<5xf64>
  graph.output "indices" = %i : tensor<5xi32>
}

// sorts
graph.func @all(%x: tensor<2x3x4xf64>) {
  %v, %i = graph.top_k %x k 4 : tensor<2x3x4xf64>
  graph.output "values" = %v : tensor<2x3x4xf64>
  graph.output "indices" = %i : tensor<2x3x4xi32>
}

// the largest
graph.func @one(%x: tensor<3x5xf64>) {
  %v, %i = graph.top_k %x k 1 : tensor<3x5xf64>
  graph.output "values" = %v : tensor<3x1xf64>
  graph.output "indices" = %i : tensor<3x1xi32>
}

// of equals the lower index first
graph.func @ties(%x: tensor<3x8xi32>) {
  %v, %i = graph.top_k %x k 4 : tensor<3x8xi32>
  graph.output "values" = %v : tensor<3x4xi32>
  graph.output "indices" = %i : tensor<3x4xi32>
}

// no row
graph.func @empty(%x: tensor<0x3xf64>) {
  %v, %i = graph.top_k %x k 2 : tensor<0x3xf64>
  graph.output "values" = %v : tensor<0x2xf64>
  graph.output "indices" = %i : tensor<0x2xi32>
}

// a NaN counts as the largest
graph.func @special_values(%x: tensor<5x5xf64>) {
  %v, %i = graph.top_k %x k 3 : tensor<5x5xf64>
  graph.output "values" = %v : tensor<5x3xf64>
  graph.output "indices" = %i : tensor<5x3xi32>
}
