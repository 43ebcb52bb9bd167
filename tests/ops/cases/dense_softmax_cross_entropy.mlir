// one row
graph.func @vector(%logits: tensor<7xf64>, %labels: tensor<7xf64>) {
  %loss = graph.dense_softmax_cross_entropy %logits, %labels : tensor<7xf64>, tensor<7xf64>
  graph.output "loss" = %loss : tensor<f64>
}

// rows
graph.func @matrix(%logits: tensor<3x5xf64>, %labels: tensor<3x5xf64>) {
  %loss = graph.dense_softmax_cross_entropy %logits, %labels : tensor<3x5xf64>, tensor<3x5xf64>
  graph.output "loss" = %loss : tensor<3xf64>
}

// rows of more dimensions
graph.func @sequences(%logits: tensor<2x3x4xf64>, %labels: tensor<2x3x4xf64>) {
  %loss = graph.dense_softmax_cross_entropy %logits, %labels : tensor<2x3x4xf64>, tensor<2x3x4xf64>
  graph.output "loss" = %loss : tensor<2x3xf64>
}

// one class is certain
graph.func @one_class(%logits: tensor<4x1xf64>, %labels: tensor<4x1xf64>) {
  %loss = graph.dense_softmax_cross_entropy %logits, %labels : tensor<4x1xf64>, tensor<4x1xf64>
  graph.output "loss" = %loss : tensor<4xf64>
}

// no row
graph.func @empty(%logits: tensor<0x3xf64>, %labels: tensor<0x3xf64>) {
  %loss = graph.dense_softmax_cross_entropy %logits, %labels : tensor<0x3xf64>, tensor<0x3xf64>
  graph.output "loss" = %loss : tensor<0xf64>
}
