graph.func @f(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x5x8xf32>, %scale: tensor<8xf32>, %labels: tensor<2xi64>) {
  %a = graph.batch_matmul %q, %k transpose_b : tensor<2x4x5x8xf32>, tensor<2x4x5x8xf32>
  %b = graph.softmax %a : tensor<2x4x5x5xf32>
  %c = graph.batch_matmul %b, %k : tensor<2x4x5x5xf32>, tensor<2x4x5x8xf32>
  %d = graph.layer_norm %c, %scale, %scale epsilon 1.0e-5 : tensor<2x4x5x8xf32>, tensor<8xf32>, tensor<8xf32>
  %step = graph.global_step
  %e = graph.dropout %d, %step rate 0.1 seed 7 stream "drop" : tensor<2x4x5x8xf32>
  %u = graph.random_uniform %step seed 7 stream "noise" low 0.0 high 1.0 : tensor<4x8xf32>
  %f = graph.log_softmax %e : tensor<2x4x5x8xf32>
  %g = graph.l2_loss %f : tensor<2x4x5x8xf32>
  graph.output "g" = %g : tensor<f32>
  graph.output "u" = %u : tensor<4x8xf32>
}
