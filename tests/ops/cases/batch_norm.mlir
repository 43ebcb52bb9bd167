// channels of images
graph.func @images(%x: tensor<2x3x2x3xf64>, %scale: tensor<3xf64>, %offset: tensor<3xf64>) {
  %y, %mean, %unbiased, %variance = graph.batch_norm %x, %scale, %offset epsilon 1.000000e-03
      : tensor<2x3x2x3xf64>, tensor<3xf64>, tensor<3xf64>
  graph.output "y" = %y : tensor<2x3x2x3xf64>
  graph.output "mean" = %mean : tensor<3xf64>
  graph.output "unbiased" = %unbiased : tensor<3xf64>
  graph.output "variance" = %variance : tensor<3xf64>
}

// columns of a matrix
graph.func @matrix(%x: tensor<5x4xf64>, %scale: tensor<4xf64>, %offset: tensor<4xf64>) {
  %y, %mean, %unbiased, %variance = graph.batch_norm %x, %scale, %offset epsilon 1.000000e-05
      : tensor<5x4xf64>, tensor<4xf64>, tensor<4xf64>
  graph.output "y" = %y : tensor<5x4xf64>
  graph.output "mean" = %mean : tensor<4xf64>
  graph.output "unbiased" = %unbiased : tensor<4xf64>
  graph.output "variance" = %variance : tensor<4xf64>
}

// two elements a channel, a large epsilon
graph.func @two_rows(%x: tensor<2x3xf64>, %scale: tensor<3xf64>, %offset: tensor<3xf64>) {
  %y, %mean, %unbiased, %variance = graph.batch_norm %x, %scale, %offset epsilon 5.000000e-01
      : tensor<2x3xf64>, tensor<3xf64>, tensor<3xf64>
  graph.output "y" = %y : tensor<2x3xf64>
  graph.output "mean" = %mean : tensor<3xf64>
  graph.output "unbiased" = %unbiased : tensor<3xf64>
  graph.output "variance" = %variance : tensor<3xf64>
}

// one element a channel: unbiased takes max(n - 1, 1)
graph.func @one_row(%x: tensor<1x4xf64>, %scale: tensor<4xf64>, %offset: tensor<4xf64>) {
  %y, %mean, %unbiased, %variance = graph.batch_norm %x, %scale, %offset epsilon 1.000000e-01
      : tensor<1x4xf64>, tensor<4xf64>, tensor<4xf64>
  graph.output "y" = %y : tensor<1x4xf64>
  graph.output "mean" = %mean : tensor<4xf64>
  graph.output "unbiased" = %unbiased : tensor<4xf64>
  graph.output "variance" = %variance : tensor<4xf64>
}

// no gradient arrives at the statistics
graph.func @y_alone(%x: tensor<4x3xf64>, %scale: tensor<3xf64>, %offset: tensor<3xf64>) {
  %y, %mean, %unbiased, %variance = graph.batch_norm %x, %scale, %offset epsilon 1.000000e-03
      : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>
  graph.output "y" = %y : tensor<4x3xf64>
}
