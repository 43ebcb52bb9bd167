module @digits {
  graph.variable @w1 : tensor<64x16xf32> = #graph.glorot_uniform
  graph.variable @b1 : tensor<16xf32> = #graph.fill<0.0> {device = "/job:ps/task:0"}
  graph.func @train() attributes {graph.epochs = 20} {
    %pixels, %label = graph.input "digits" at "digits.csv.gz" rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.125, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<30x64xf32>, tensor<30xi64>
    %w1 = graph.read @w1 : tensor<64x16xf32>
    %b1 = graph.read @b1 : tensor<16xf32>
    %h0 = graph.matmul %pixels, %w1 : tensor<30x64xf32>, tensor<64x16xf32>
    %h = graph.bias_add %h0, %b1 : tensor<30x16xf32>, tensor<16xf32>
    %losses = graph.softmax_cross_entropy %h, %label : tensor<30x16xf32>, tensor<30xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<30xf32>
    graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = 0.9> for [@w1, @b1]
    graph.output "loss" = %loss : tensor<f32>
  }
}
