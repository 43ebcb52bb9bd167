// Three stages on three tasks; each takes two values of the one before it, and
// the last step of the gradients goes all the way back.
module @pipeline {
  graph.variable @a : tensor<64x8xf32> = #graph.glorot_uniform
  graph.variable @b : tensor<8x8xf32> = #graph.glorot_uniform
  graph.variable @c : tensor<8x10xf32> = #graph.glorot_uniform
  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500
        [#graph.column<"pixels", fields 0 to 64, scale 0.0625, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        {device = "/job:worker/task:0"} : tensor<8x64xf32>, tensor<8xi64>
    %a = graph.read @a : tensor<64x8xf32>
    %b = graph.read @b : tensor<8x8xf32>
    %c = graph.read @c : tensor<8x10xf32>
    %h = graph.matmul %pixels, %a {device = "/job:worker/task:0"} : tensor<8x64xf32>, tensor<64x8xf32>
    %left = graph.relu %h {device = "/job:worker/task:0"} : tensor<8x8xf32>
    %right = graph.tanh %h {device = "/job:worker/task:0"} : tensor<8x8xf32>
    %both = graph.mul %left, %right {device = "/job:worker/task:1"} : tensor<8x8xf32>, tensor<8x8xf32>
    %mixed = graph.matmul %both, %b {device = "/job:worker/task:1"} : tensor<8x8xf32>, tensor<8x8xf32>
    %sum = graph.sub %mixed, %right {device = "/job:worker/task:2"} : tensor<8x8xf32>, tensor<8x8xf32>
    %logits = graph.matmul %sum, %c {device = "/job:worker/task:2"} : tensor<8x8xf32>, tensor<8x10xf32>
    %losses = graph.softmax_cross_entropy %logits, %label {device = "/job:worker/task:2"} : tensor<8x10xf32>, tensor<8xi64>
    %loss = graph.reduce_mean %losses axes [0] {device = "/job:worker/task:2"} : tensor<8xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}
