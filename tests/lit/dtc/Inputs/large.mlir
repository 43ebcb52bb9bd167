// A variable that f32 can hold and bf16 cannot: on the wire it becomes infinite.
module @large {
  graph.variable @w : tensor<2xf32> = #graph.fill<3.4e38>
  graph.func @show() {
    %w = graph.read @w : tensor<2xf32>
    %half = graph.constant dense<0.5> : tensor<2xf32>
    %y = graph.mul %w, %half : tensor<2xf32>, tensor<2xf32>
    graph.output "y" = %y : tensor<2xf32>
  }
}
