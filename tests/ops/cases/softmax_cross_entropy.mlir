// rows
graph.func @matrix(%logits: tensor<4x5xf64>, %labels: tensor<4xi64>) {
  %loss = graph.softmax_cross_entropy %logits, %labels : tensor<4x5xf64>, tensor<4xi64>
  graph.output "loss" = %loss : tensor<4xf64>
}

// labels of 32 bits
graph.func @int32_labels(%logits: tensor<3x7xf64>, %labels: tensor<3xi32>) {
  %loss = graph.softmax_cross_entropy %logits, %labels : tensor<3x7xf64>, tensor<3xi32>
  graph.output "loss" = %loss : tensor<3xf64>
}

// one class is certain
graph.func @one_class(%logits: tensor<2x1xf64>, %labels: tensor<2xi64>) {
  %loss = graph.softmax_cross_entropy %logits, %labels : tensor<2x1xf64>, tensor<2xi64>
  graph.output "loss" = %loss : tensor<2xf64>
}

// no row
graph.func @empty(%logits: tensor<0x3xf64>, %labels: tensor<0xi64>) {
  %loss = graph.softmax_cross_entropy %logits, %labels : tensor<0x3xf64>, tensor<0xi64>
  graph.output "loss" = %loss : tensor<0xf64>
}
