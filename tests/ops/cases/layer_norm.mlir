// rows
graph.func @matrix(%x: tensor<3x5xf64>, %scale: tensor<5xf64>, %offset: tensor<5xf64>) {
  %y = graph.layer_norm %x, %scale, %offset epsilon 1.000000e-05
      : tensor<3x5xf64>, tensor<5xf64>, tensor<5xf64>
  graph.output "y" = %y : tensor<3x5xf64>
}

// rows of more dimensions
graph.func @sequences(%x: tensor<2x3x4xf64>, %scale: tensor<4xf64>, %offset: tensor<4xf64>) {
  %y = graph.layer_norm %x, %scale, %offset epsilon 1.000000e-03
      : tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>
  graph.output "y" = %y : tensor<2x3x4xf64>
}

// one row
graph.func @vector(%x: tensor<7xf64>, %scale: tensor<7xf64>, %offset: tensor<7xf64>) {
  %y = graph.layer_norm %x, %scale, %offset epsilon 1.000000e-02
      : tensor<7xf64>, tensor<7xf64>, tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// no row
graph.func @empty(%x: tensor<0x3xf64>, %scale: tensor<3xf64>, %offset: tensor<3xf64>) {
  %y = graph.layer_norm %x, %scale, %offset epsilon 1.000000e-02
      : tensor<0x3xf64>, tensor<3xf64>, tensor<3xf64>
  graph.output "y" = %y : tensor<0x3xf64>
}
