// A two-layer network whose layers name their tasks.
//
// In-graph, `device` says where an operation runs: the first layer on worker 0,
// the second on worker 1, and activations and their gradients cross.
// Between-graph there is a copy of the whole program in each worker; a worker's
// device is then the copy's own.
module @two_layers {
  graph.variable @w1 : tensor<64x48xf32> = #graph.glorot_uniform
  graph.variable @b1 : tensor<48xf32> = #graph.fill<0.0>
  graph.variable @w2 : tensor<48x10xf32> = #graph.glorot_uniform
  graph.variable @b2 : tensor<10xf32> = #graph.fill<0.0>

  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.0625, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        {device = "/job:worker/task:0"} : tensor<50x64xf32>, tensor<50xi64>

    // The first layer.
    %w1 = graph.read @w1 : tensor<64x48xf32>
    %b1 = graph.read @b1 : tensor<48xf32>
    %h0 = graph.matmul %pixels, %w1 {device = "/job:worker/task:0"} : tensor<50x64xf32>, tensor<64x48xf32>
    %h1 = graph.bias_add %h0, %b1 {device = "/job:worker/task:0"} : tensor<50x48xf32>, tensor<48xf32>
    %h = graph.relu %h1 {device = "/job:worker/task:0"} : tensor<50x48xf32>

    // The second layer and the loss.
    %w2 = graph.read @w2 : tensor<48x10xf32>
    %b2 = graph.read @b2 : tensor<10xf32>
    %l0 = graph.matmul %h, %w2 {device = "/job:worker/task:1"} : tensor<50x48xf32>, tensor<48x10xf32>
    %logits = graph.bias_add %l0, %b2 {device = "/job:worker/task:1"} : tensor<50x10xf32>, tensor<10xf32>
    %losses = graph.softmax_cross_entropy %logits, %label {device = "/job:worker/task:1"}
        : tensor<50x10xf32>, tensor<50xi64>
    %loss = graph.reduce_mean %losses axes [0] {device = "/job:worker/task:1"} : tensor<50xf32>

    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.2>
    graph.output "loss" = %loss : tensor<f32>
  }
}
