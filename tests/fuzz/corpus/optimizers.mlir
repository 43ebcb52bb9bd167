graph.variable @a : tensor<3x4xf32> = #graph.he_normal
graph.variable @b : tensor<4xf32> = #graph.fill<0.5>
graph.func @lamb(%x: tensor<5x3xf32>) {
  %a = graph.read @a : tensor<3x4xf32>
  %y = graph.matmul %x, %a : tensor<5x3xf32>, tensor<3x4xf32>
  %loss = graph.l2_loss %y : tensor<5x4xf32>
  graph.minimize %loss : tensor<f32> with #graph.lamb<learning_rate = #graph.cosine_decay<rate = 0.5, decay_steps = 10, alpha = 0.25>, weight_decay = 0.25> for [@a] clip_by_global_norm 1.0
}
graph.func @rmsprop(%x: tensor<5x4xf32>) {
  %b = graph.read @b : tensor<4xf32>
  %y = graph.bias_add %x, %b : tensor<5x4xf32>, tensor<4xf32>
  %loss = graph.l2_loss %y : tensor<5x4xf32>
  graph.minimize %loss : tensor<f32> with #graph.rmsprop<learning_rate = 0.5, momentum = 0.5> for [@b] weight_decay 2.0e-4 clip_by_value 1.0
}
graph.func @nesterov(%x: tensor<5x4xf32>) {
  %b = graph.read @b : tensor<4xf32>
  %y = graph.div %x, %b : tensor<5x4xf32>, tensor<4xf32>
  %z = graph.erf %y : tensor<5x4xf32>
  %loss = graph.l2_loss %z : tensor<5x4xf32>
  graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = #graph.exponential_decay<rate = 0.5, decay_steps = 10, decay_rate = 0.25, staircase = true>, momentum = 0.9, nesterov = true> for [@b]
}
