// channels of images
graph.func @images(%x: tensor<2x3x2x3xf64>,
                   %scale: tensor<3xf64>,
                   %offset: tensor<3xf64>,
                   %mean: tensor<3xf64>,
                   %variance: tensor<3xf64>) {
  %y = graph.batch_norm_inference %x, %scale, %offset, %mean, %variance epsilon 1.000000e-03
      : tensor<2x3x2x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  graph.output "y" = %y : tensor<2x3x2x3xf64>
}

// columns of a matrix
graph.func @matrix(%x: tensor<5x4xf64>,
                   %scale: tensor<4xf64>,
                   %offset: tensor<4xf64>,
                   %mean: tensor<4xf64>,
                   %variance: tensor<4xf64>) {
  %y = graph.batch_norm_inference %x, %scale, %offset, %mean, %variance epsilon 1.000000e-05
      : tensor<5x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  graph.output "y" = %y : tensor<5x4xf64>
}

// two elements a channel, a large epsilon
graph.func @two_rows(%x: tensor<2x3xf64>,
                     %scale: tensor<3xf64>,
                     %offset: tensor<3xf64>,
                     %mean: tensor<3xf64>,
                     %variance: tensor<3xf64>) {
  %y = graph.batch_norm_inference %x, %scale, %offset, %mean, %variance epsilon 5.000000e-01
      : tensor<2x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  graph.output "y" = %y : tensor<2x3xf64>
}

// one element a channel
graph.func @one_row(%x: tensor<1x4xf64>,
                    %scale: tensor<4xf64>,
                    %offset: tensor<4xf64>,
                    %mean: tensor<4xf64>,
                    %variance: tensor<4xf64>) {
  %y = graph.batch_norm_inference %x, %scale, %offset, %mean, %variance epsilon 1.000000e-01
      : tensor<1x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
  graph.output "y" = %y : tensor<1x4xf64>
}
