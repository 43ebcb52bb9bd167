// A count and nothing else: what a push is when it holds no gradient.
module @counter {
  graph.variable @count : tensor<i64> = #graph.fill<0.0>

  graph.func @train() {
    %one = graph.constant dense<1> : tensor<i64>
    graph.assign_add @count, %one : tensor<i64>
  }
  graph.func @show() {
    %count = graph.read @count : tensor<i64>
    graph.output "count" = %count : tensor<i64>
  }
}
