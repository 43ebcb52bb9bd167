// a batch of labels
graph.func @vector(%labels: tensor<7xi64>) {
  %y = graph.one_hot %labels depth 5 as f64 : tensor<7xi64>
  graph.output "y" = %y : tensor<7x5xf64>
}

// labels of two dimensions
graph.func @matrix(%labels: tensor<2x3xi32>) {
  %y = graph.one_hot %labels depth 4 as f64 : tensor<2x3xi32>
  graph.output "y" = %y : tensor<2x3x4xf64>
}

// one label
graph.func @scalar(%labels: tensor<i64>) {
  %y = graph.one_hot %labels depth 3 as f64 : tensor<i64>
  graph.output "y" = %y : tensor<3xf64>
}

// a depth of 1
graph.func @one_class(%labels: tensor<4xi64>) {
  %y = graph.one_hot %labels depth 1 as f64 : tensor<4xi64>
  graph.output "y" = %y : tensor<4x1xf64>
}

// no label
graph.func @empty(%labels: tensor<0xi64>) {
  %y = graph.one_hot %labels depth 3 as f64 : tensor<0xi64>
  graph.output "y" = %y : tensor<0x3xf64>
}

// zeros for a label outside
graph.func @outside(%labels: tensor<8xi64>) {
  %y = graph.one_hot %labels depth 3 as f64 : tensor<8xi64>
  graph.output "y" = %y : tensor<8x3xf64>
}

// zeros for a label outside, 32 bits
graph.func @outside_words(%labels: tensor<8xi32>) {
  %y = graph.one_hot %labels depth 3 as f64 : tensor<8xi32>
  graph.output "y" = %y : tensor<8x3xf64>
}

// labels of a byte
graph.func @bytes(%labels: tensor<6xui8>) {
  %y = graph.one_hot %labels depth 4 as f64 : tensor<6xui8>
  graph.output "y" = %y : tensor<6x4xf64>
}

// as 32 bits
graph.func @integers(%labels: tensor<5xi64>) {
  %y = graph.one_hot %labels depth 3 as i32 : tensor<5xi64>
  graph.output "y" = %y : tensor<5x3xi32>
}

// as truth values
graph.func @bools(%labels: tensor<5xi64>) {
  %y = graph.one_hot %labels depth 3 as i1 : tensor<5xi64>
  graph.output "y" = %y : tensor<5x3xi1>
}

// no class
graph.func @no_class(%labels: tensor<3xi64>) {
  %y = graph.one_hot %labels depth 0 as f64 : tensor<3xi64>
  graph.output "y" = %y : tensor<3x0xf64>
}
