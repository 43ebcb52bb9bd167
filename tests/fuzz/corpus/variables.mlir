module @m attributes {graph.note = "text"} {
  graph.variable @a : tensor<4x3xf32> = #graph.uniform<-0.5, 0.5>
  graph.variable @c : tensor<f64> = #graph.normal<0.0, 0.1>
  graph.variable @d : tensor<2xbf16> = #graph.truncated_normal<0.0, 1.0>
  graph.variable @n : tensor<2xi64> = dense<[1, 2]> : tensor<2xi64>
  graph.variable @a.momentum : tensor<4x3xf32> = #graph.fill<0.0> slot
  graph.func @f(%x: tensor<4x3xf32>) {
    %a = graph.read @a : tensor<4x3xf32>
    %b = "graph.add"(%a, %x) {device = "/job:ps"} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    graph.assign @a, %b : tensor<4x3xf32>
    %n = graph.read @n : tensor<2xi64>
    graph.assign_add @n, %n : tensor<2xi64>
    graph.output "b" = %b : tensor<4x3xf32>
  }
  graph.func @g() {
    %a = graph.read @a : tensor<4x3xf32> loc("elsewhere.mlir":3:4)
    graph.output "a" = %a : tensor<4x3xf32>
  }
}
