// Tables in parts of either kind, which rows are looked up in; a matrix that
// is joined; a slot with each part.
module @shards {
  graph.variable @mod : tensor<10x4xf32> = #graph.uniform<-0.5, 0.5> {shards = 3, partition_strategy = "mod"}
  graph.variable @div : tensor<10x4xf32> = #graph.uniform<-0.5, 0.5> {shards = 3}
  graph.variable @w : tensor<64x4xf32> = #graph.glorot_uniform {shards = 2, partition_strategy = "mod"}
  graph.func @train() {
    %pixels, %label = graph.input "digits" at "examples/digits/digits.csv.gz"
        rows 0 to 1500 shuffle
        [#graph.column<"pixels", fields 0 to 64, scale 0.0625, range 0.0 to 16.0>,
         #graph.column<"label", fields 64 to 65, scale 1.0, range 0.0 to 9.0>]
        : tensor<6x64xf32>, tensor<6xi64>
    %mod = graph.read @mod : tensor<10x4xf32>
    %div = graph.read @div : tensor<10x4xf32>
    %w = graph.read @w : tensor<64x4xf32>
    %a = graph.gather %mod, %label axis 0 : tensor<10x4xf32>, tensor<6xi64>
    %b = graph.gather %div, %label axis 0 : tensor<10x4xf32>, tensor<6xi64>
    %c = graph.matmul %pixels, %w : tensor<6x64xf32>, tensor<64x4xf32>
    %ab = graph.mul %a, %b : tensor<6x4xf32>, tensor<6x4xf32>
    %abc = graph.mul %ab, %c : tensor<6x4xf32>, tensor<6x4xf32>
    %squares = graph.square %abc : tensor<6x4xf32>
    %loss = graph.reduce_mean %squares axes [0, 1] : tensor<6x4xf32>
    graph.minimize %loss : tensor<f32> with #graph.adagrad<learning_rate = 0.1>
    graph.output "loss" = %loss : tensor<f32>
  }
}
