// Handwritten digits with a learning rate that falls with the global step.
//
// With update sync the global step counts steps of all workers together; with
// update async each worker's push is a step of its own, so it counts three times
// as fast with three workers, and the rate falls as fast per example.
module @digits {
  graph.variable @w1 : tensor<64x48xf32> = #graph.glorot_uniform
  graph.variable @b1 : tensor<48xf32> = #graph.fill<0.0>
  graph.variable @w2 : tensor<48x10xf32> = #graph.glorot_uniform
  graph.variable @b2 : tensor<10xf32> = #graph.fill<0.0>

  graph.func @train() attributes {graph.epochs = 20} {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.125, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<25x64xf32>, tensor<25xi64>
    %w1 = graph.read @w1 : tensor<64x48xf32>
    %b1 = graph.read @b1 : tensor<48xf32>
    %w2 = graph.read @w2 : tensor<48x10xf32>
    %b2 = graph.read @b2 : tensor<10xf32>
    %h0 = graph.matmul %pixels, %w1 : tensor<25x64xf32>, tensor<64x48xf32>
    %h1 = graph.bias_add %h0, %b1 : tensor<25x48xf32>, tensor<48xf32>
    %h = graph.relu %h1 : tensor<25x48xf32>
    %l0 = graph.matmul %h, %w2 : tensor<25x48xf32>, tensor<48x10xf32>
    %logits = graph.bias_add %l0, %b2 : tensor<25x10xf32>, tensor<10xf32>
    %losses = graph.softmax_cross_entropy %logits, %label : tensor<25x10xf32>, tensor<25xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<25xf32>
    graph.minimize %loss : tensor<f32>
        with #graph.sgd<learning_rate = #graph.exponential_decay<rate = 0.1, decay_steps = 1000, decay_rate = 0.5, staircase = false>>
    graph.output "loss" = %loss : tensor<f32>
  }

  // The 297 rows that training never sees, and how far the model came.
  graph.func @eval() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 1500 to 1797
        [#graph.column<"pixels", fields 0 to 64, scale 0.125, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<297x64xf32>, tensor<297xi64>
    %w1 = graph.read @w1 : tensor<64x48xf32>
    %b1 = graph.read @b1 : tensor<48xf32>
    %w2 = graph.read @w2 : tensor<48x10xf32>
    %b2 = graph.read @b2 : tensor<10xf32>
    %h0 = graph.matmul %pixels, %w1 : tensor<297x64xf32>, tensor<64x48xf32>
    %h1 = graph.bias_add %h0, %b1 : tensor<297x48xf32>, tensor<48xf32>
    %h = graph.relu %h1 : tensor<297x48xf32>
    %l0 = graph.matmul %h, %w2 : tensor<297x48xf32>, tensor<48x10xf32>
    %logits = graph.bias_add %l0, %b2 : tensor<297x10xf32>, tensor<10xf32>
    %guess = graph.argmax %logits axis 1 : tensor<297x10xf32>
    %right = graph.equal %guess, %label : tensor<297xi64>, tensor<297xi64>
    %score = graph.cast %right : tensor<297xi1> to tensor<297xf32>
    %accuracy = graph.reduce_mean %score axes [0] : tensor<297xf32>
    %step = graph.global_step
    graph.output "accuracy" = %accuracy : tensor<f32>
    graph.output "global_step" = %step : tensor<i64>
  }
}
