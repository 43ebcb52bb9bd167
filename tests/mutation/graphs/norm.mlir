// State beside the gradients: moving means that every replica assigns.
module @norm {
  graph.variable @w : tensor<64x10xf32> = #graph.glorot_uniform
  graph.variable @mean : tensor<10xf32> = #graph.fill<0.0>
  graph.variable @scale : tensor<10xf32> = #graph.fill<1.0>
  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500
        [#graph.column<"pixels", fields 0 to 64, scale 0.0625, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<8x64xf32>, tensor<8xi64>
    %w = graph.read @w : tensor<64x10xf32>
    %mean = graph.read @mean : tensor<10xf32>
    %scale = graph.read @scale : tensor<10xf32>
    %h = graph.matmul %pixels, %w : tensor<8x64xf32>, tensor<64x10xf32>
    %now = graph.reduce_mean %h axes [0] : tensor<8x10xf32>
    %half = graph.constant dense<0.5> : tensor<f32>
    %off = graph.sub %now, %mean : tensor<10xf32>, tensor<10xf32>
    %part = graph.mul %off, %half : tensor<10xf32>, tensor<f32>
    %next = graph.add %mean, %part : tensor<10xf32>, tensor<10xf32>
    graph.assign @mean, %next : tensor<10xf32>
    %centred = graph.sub %h, %mean : tensor<8x10xf32>, tensor<10xf32>
    %logits = graph.mul %centred, %scale : tensor<8x10xf32>, tensor<10xf32>
    %losses = graph.softmax_cross_entropy %logits, %label : tensor<8x10xf32>, tensor<8xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<8xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1> for [@w, @scale]
    graph.output "loss" = %loss : tensor<f32>
  }
}
