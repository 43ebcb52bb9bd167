// Variables that take each other's values: whoever reads too late reads wrong.
// A counter, a feed, and an entry that only reads.
module @swap {
  graph.variable @one : tensor<4x4xf32> = #graph.normal<0.0, 1.0>
  graph.variable @two : tensor<4x4xf32> = #graph.normal<0.0, 1.0>
  graph.variable @three : tensor<4x4xf32> = #graph.normal<0.0, 1.0>
  graph.variable @count : tensor<i64> = #graph.fill<0.0>
  graph.func @train(%x: tensor<4x4xf32>) {
    %one = graph.read @one : tensor<4x4xf32>
    %two = graph.read @two : tensor<4x4xf32>
    %three = graph.read @three : tensor<4x4xf32>
    %turned = graph.matmul %one, %x : tensor<4x4xf32>, tensor<4x4xf32>
    %shown = graph.sub %turned, %two : tensor<4x4xf32>, tensor<4x4xf32>
    graph.assign @one, %two : tensor<4x4xf32>
    graph.assign @two, %three : tensor<4x4xf32>
    graph.assign @three, %turned : tensor<4x4xf32>
    %step = graph.constant dense<1> : tensor<i64>
    graph.assign_add @count, %step : tensor<i64>
    graph.output "shown" = %shown : tensor<4x4xf32>
    graph.output "one" = %one : tensor<4x4xf32>
  }
  graph.func @eval(%x: tensor<4x4xf32>) {
    %one = graph.read @one : tensor<4x4xf32>
    %three = graph.read @three : tensor<4x4xf32>
    %y = graph.matmul %x, %one : tensor<4x4xf32>, tensor<4x4xf32>
    %z = graph.sub %y, %three : tensor<4x4xf32>, tensor<4x4xf32>
    graph.output "z" = %z : tensor<4x4xf32>
  }
}
