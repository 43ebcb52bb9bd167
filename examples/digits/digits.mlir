// Handwritten digits: 64 pixels, one hidden layer of 64, 10 classes.
//
// The file says what to compute, as if for one device. Machines come in when
// it is compiled:
//
//   dtc compile digits.mlir --cluster ps=1,worker=2 --mode between-graph
//
// The data set has 1,797 rows of 65 fields: 8x8 pixels from 0 to 16, then the
// label. The first 1,500 rows train, the other 297 test.
module @digits {
  // Variables are state that the entry points below share. Their initial
  // values depend on the seed of the run and on their names, on nothing else.
  graph.variable @w1 : tensor<64x64xf32> = #graph.glorot_uniform
  graph.variable @b1 : tensor<64xf32> = #graph.fill<0.0>
  graph.variable @w2 : tensor<64x10xf32> = #graph.glorot_uniform
  graph.variable @b2 : tensor<10xf32> = #graph.fill<0.0>

  // One step of training on the next 30 rows. The batch is one worker's: two
  // workers take 60 rows a step, and their gradients are averaged.
  graph.func @train() attributes {graph.epochs = 20} {
    // `shuffle` orders the rows anew each epoch, as the seed says. Pixels are
    // scaled to 0..2; `range` bounds the fields as they are in the file.
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.125, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<30x64xf32>, tensor<30xi64>

    // Every read sees the variable as it was when the step began.
    %w1 = graph.read @w1 : tensor<64x64xf32>
    %b1 = graph.read @b1 : tensor<64xf32>
    %w2 = graph.read @w2 : tensor<64x10xf32>
    %b2 = graph.read @b2 : tensor<10xf32>

    %h0 = graph.matmul %pixels, %w1 : tensor<30x64xf32>, tensor<64x64xf32>
    %h1 = graph.bias_add %h0, %b1 : tensor<30x64xf32>, tensor<64xf32>
    %h = graph.relu %h1 : tensor<30x64xf32>
    %l0 = graph.matmul %h, %w2 : tensor<30x64xf32>, tensor<64x10xf32>
    %logits = graph.bias_add %l0, %b2 : tensor<30x10xf32>, tensor<10xf32>

    %losses = graph.softmax_cross_entropy %logits, %label : tensor<30x10xf32>, tensor<30xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<30xf32>

    // Gradients and updates of all four variables: the compiler's business.
    graph.minimize %loss : tensor<f32> with #graph.momentum<learning_rate = 0.1, momentum = 0.9>
    graph.output "loss" = %loss : tensor<f32>
  }

  // The 297 rows that training never sees, in one step.
  graph.func @eval() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 1500 to 1797
        [#graph.column<"pixels", fields 0 to 64, scale 0.125, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<297x64xf32>, tensor<297xi64>

    %w1 = graph.read @w1 : tensor<64x64xf32>
    %b1 = graph.read @b1 : tensor<64xf32>
    %w2 = graph.read @w2 : tensor<64x10xf32>
    %b2 = graph.read @b2 : tensor<10xf32>

    %h0 = graph.matmul %pixels, %w1 : tensor<297x64xf32>, tensor<64x64xf32>
    %h1 = graph.bias_add %h0, %b1 : tensor<297x64xf32>, tensor<64xf32>
    %h = graph.relu %h1 : tensor<297x64xf32>
    %l0 = graph.matmul %h, %w2 : tensor<297x64xf32>, tensor<64x10xf32>
    %logits = graph.bias_add %l0, %b2 : tensor<297x10xf32>, tensor<10xf32>

    %losses = graph.softmax_cross_entropy %logits, %label : tensor<297x10xf32>, tensor<297xi64>
    %loss = graph.reduce_mean %losses axes [0] : tensor<297xf32>

    %guess = graph.argmax %logits axis 1 : tensor<297x10xf32>
    %right = graph.equal %guess, %label : tensor<297xi64>, tensor<297xi64>
    %score = graph.cast %right : tensor<297xi1> to tensor<297xf32>
    %accuracy = graph.reduce_mean %score axes [0] : tensor<297xf32>

    graph.output "loss" = %loss : tensor<f32>
    graph.output "accuracy" = %accuracy : tensor<f32>
  }

  // Names one digit. The feed is its 64 pixels in whatever scale they come, as
  // in the file (0 to 16), 0 to 1 or 0 to 255: the brightest becomes 2, which is
  // what 16 becomes in training.
  graph.func @predict(%x: tensor<1x64xf32>) {
    %two = graph.constant dense<2.0> : tensor<f32>
    %brightest = graph.reduce_max %x axes [0, 1] : tensor<1x64xf32>
    %brightness = graph.div %two, %brightest : tensor<f32>, tensor<f32>
    %pixels = graph.mul %x, %brightness : tensor<1x64xf32>, tensor<f32>

    %w1 = graph.read @w1 : tensor<64x64xf32>
    %b1 = graph.read @b1 : tensor<64xf32>
    %w2 = graph.read @w2 : tensor<64x10xf32>
    %b2 = graph.read @b2 : tensor<10xf32>

    %h0 = graph.matmul %pixels, %w1 : tensor<1x64xf32>, tensor<64x64xf32>
    %h1 = graph.bias_add %h0, %b1 : tensor<1x64xf32>, tensor<64xf32>
    %h = graph.relu %h1 : tensor<1x64xf32>
    %l0 = graph.matmul %h, %w2 : tensor<1x64xf32>, tensor<64x10xf32>
    %logits = graph.bias_add %l0, %b2 : tensor<1x10xf32>, tensor<10xf32>

    %digit = graph.argmax %logits axis 1 : tensor<1x10xf32>
    graph.output "y" = %digit : tensor<1xi64>
  }
}
