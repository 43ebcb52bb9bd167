// All that couples parameter servers in an update: a norm over all gradients, a
// learning rate that falls with the global step, and a count of the model's own.
module @entangled {
  graph.variable @w1 : tensor<64x48xf32> = #graph.glorot_uniform
  graph.variable @b1 : tensor<48xf32> = #graph.fill<0.0>
  graph.variable @w2 : tensor<48x10xf32> = #graph.glorot_uniform
  graph.variable @pushes : tensor<i64> = #graph.fill<0.0>

  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.0625, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<30x64xf32>, tensor<30xi64>
    %w1 = graph.read @w1 : tensor<64x48xf32>
    %b1 = graph.read @b1 : tensor<48xf32>
    %w2 = graph.read @w2 : tensor<48x10xf32>
    %step = graph.global_step
    %some = graph.dropout %pixels, %step rate 0.2 seed 7 stream "pixels" : tensor<30x64xf32>
    %h0 = graph.matmul %some, %w1 : tensor<30x64xf32>, tensor<64x48xf32>
    %h1 = graph.bias_add %h0, %b1 : tensor<30x48xf32>, tensor<48xf32>
    %h = graph.relu %h1 : tensor<30x48xf32>
    %logits = graph.matmul %h, %w2 : tensor<30x48xf32>, tensor<48x10xf32>
    %losses = graph.softmax_cross_entropy %logits, %label : tensor<30x10xf32>, tensor<30xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<30xf32>
    graph.minimize %loss : tensor<f32>
        with #graph.adam<learning_rate = #graph.exponential_decay<rate = 0.01, decay_steps = 100, decay_rate = 0.5, staircase = false>>
        clip_by_global_norm 1.0
    %one = graph.constant dense<1> : tensor<i64>
    graph.assign_add @pushes, %one : tensor<i64>
    graph.output "loss" = %loss : tensor<f32>
    graph.output "step" = %step : tensor<i64>
  }
}
