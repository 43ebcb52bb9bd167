// a matrix
graph.func @matrix(%logits: tensor<3x4xf64>, %labels: tensor<3x4xf64>) {
  %loss = graph.sigmoid_cross_entropy %logits, %labels : tensor<3x4xf64>, tensor<3x4xf64>
  graph.output "loss" = %loss : tensor<3x4xf64>
}

// a vector
graph.func @vector(%logits: tensor<7xf64>, %labels: tensor<7xf64>) {
  %loss = graph.sigmoid_cross_entropy %logits, %labels : tensor<7xf64>, tensor<7xf64>
  graph.output "loss" = %loss : tensor<7xf64>
}

// a scalar
graph.func @scalar(%logits: tensor<f64>, %labels: tensor<f64>) {
  %loss = graph.sigmoid_cross_entropy %logits, %labels : tensor<f64>, tensor<f64>
  graph.output "loss" = %loss : tensor<f64>
}

// nothing
graph.func @empty(%logits: tensor<0x3xf64>, %labels: tensor<0x3xf64>) {
  %loss = graph.sigmoid_cross_entropy %logits, %labels : tensor<0x3xf64>, tensor<0x3xf64>
  graph.output "loss" = %loss : tensor<0x3xf64>
}

// labels for every row
graph.func @broadcast(%logits: tensor<3x4xf64>, %labels: tensor<4xf64>) {
  %loss = graph.sigmoid_cross_entropy %logits, %labels : tensor<3x4xf64>, tensor<4xf64>
  graph.output "loss" = %loss : tensor<3x4xf64>
}

// nothing overflows
graph.func @special_large(%logits: tensor<4xf64>, %labels: tensor<4xf64>) {
  %loss = graph.sigmoid_cross_entropy %logits, %labels : tensor<4xf64>, tensor<4xf64>
  graph.output "loss" = %loss : tensor<4xf64>
}
