graph.func @f(%x: tensor<4x6xf32>, %none: tensor<0x3xf64>) {
  %a = graph.reduce_sum %x axes [0, 1] : tensor<4x6xf32>
  %b = graph.reduce_max %x axes [1] keep_dims : tensor<4x6xf32>
  %c = graph.reduce_prod %none axes [0] : tensor<0x3xf64>
  %d = graph.argmax %x axis 1 : tensor<4x6xf32>
  %e = graph.cumsum %x axis 1 exclusive reverse : tensor<4x6xf32>
  %f, %g = graph.top_k %x k 3 : tensor<4x6xf32>
  graph.output "a" = %a : tensor<f32>
  graph.output "b" = %b : tensor<4x1xf32>
  graph.output "c" = %c : tensor<3xf64>
  graph.output "d" = %d : tensor<4xi64>
  graph.output "e" = %e : tensor<4x6xf32>
  graph.output "f" = %f : tensor<4x3xf32>
}
