// One layer, trained with momentum: the smallest graph that has every kind of
// edge.
module @mlp {
  graph.variable @w : tensor<4x2xf32> = #graph.glorot_uniform
  graph.variable @w.momentum : tensor<4x2xf32> = #graph.fill<0.0> slot
  graph.variable @b : tensor<2xf32> = #graph.fill<0.0>

  graph.func @train() {
    %x, %label = graph.input "d" rows 0 to 60 shuffle [#graph.column<"x", fields 0 to 4, scale 1.0, range 0.0 to 1.0>, #graph.column<"label", fields 4 to 5, scale 1.0, range 0.0 to 1.0>] : tensor<3x4xf32>, tensor<3xi64>
    %w = graph.read @w : tensor<4x2xf32>
    %b = graph.read @b : tensor<2xf32>
    %h = graph.matmul %x, %w : tensor<3x4xf32>, tensor<4x2xf32>
    %logits = graph.bias_add %h, %b : tensor<3x2xf32>, tensor<2xf32>
    %losses = graph.softmax_cross_entropy %logits, %label : tensor<3x2xf32>, tensor<3xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<3xf32>
    %p = graph.softmax %logits : tensor<3x2xf32>
    %t = graph.one_hot %label depth 2 as f32 : tensor<3xi64>
    %logits.grad = graph.sub %p, %t : tensor<3x2xf32>, tensor<3x2xf32>
    %w.grad = graph.matmul %x, %logits.grad transpose_a : tensor<3x4xf32>, tensor<3x2xf32>
    %b.grad = graph.reduce_sum %logits.grad axes [0] : tensor<3x2xf32>
    %s = graph.read @w.momentum : tensor<4x2xf32>
    %rate = graph.constant dense<0.1> : tensor<f32>
    %w.new, %s.new = graph.apply_momentum %w, %s, %w.grad learning_rate %rate momentum 0.9 : tensor<4x2xf32>
    graph.assign @w, %w.new : tensor<4x2xf32>
    graph.assign @w.momentum, %s.new : tensor<4x2xf32>
    %b.new = graph.apply_gradient_descent %b, %b.grad learning_rate %rate : tensor<2xf32>
    graph.assign @b, %b.new : tensor<2xf32>
    graph.output "loss" = %loss : tensor<f32>
  }

  graph.func @predict(%x: tensor<1x4xf32>) {
    %w = graph.read @w : tensor<4x2xf32>
    %b = graph.read @b : tensor<2xf32>
    %h = graph.matmul %x, %w : tensor<1x4xf32>, tensor<4x2xf32>
    %logits = graph.bias_add %h, %b : tensor<1x2xf32>, tensor<2xf32>
    graph.output "y" = %logits : tensor<1x2xf32>
  }
}
