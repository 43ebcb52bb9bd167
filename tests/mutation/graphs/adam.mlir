// Slots, a step counter, a norm over all gradients: updates that several ps
// tasks share.
module @adam {
  graph.variable @w1 : tensor<64x6xf32> = #graph.glorot_uniform
  graph.variable @w2 : tensor<6x6xf32> = #graph.glorot_uniform
  graph.variable @w3 : tensor<6x10xf32> = #graph.glorot_uniform
  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.0625, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<6x64xf32>, tensor<6xi64>
    %w1 = graph.read @w1 : tensor<64x6xf32>
    %w2 = graph.read @w2 : tensor<6x6xf32>
    %w3 = graph.read @w3 : tensor<6x10xf32>
    %a = graph.matmul %pixels, %w1 : tensor<6x64xf32>, tensor<64x6xf32>
    %b = graph.sigmoid %a : tensor<6x6xf32>
    %c = graph.matmul %b, %w2 : tensor<6x6xf32>, tensor<6x6xf32>
    %d = graph.tanh %c : tensor<6x6xf32>
    %logits = graph.matmul %d, %w3 : tensor<6x6xf32>, tensor<6x10xf32>
    %losses = graph.softmax_cross_entropy %logits, %label : tensor<6x10xf32>, tensor<6xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<6xf32>
    graph.minimize %loss : tensor<f32> with #graph.adam<learning_rate = #graph.warm_up<steps = 10, after = 0.5>> clip_by_global_norm 1.0
    graph.output "loss" = %loss : tensor<f32>
  }
}
