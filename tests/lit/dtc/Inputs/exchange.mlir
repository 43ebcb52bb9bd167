// Two tasks that give each other two values, and three in a ring.
module @exchange {
  graph.variable @a : tensor<4xf32> = #graph.fill<1.0> {device = "/job:worker/task:0"}
  graph.variable @b : tensor<4xf32> = #graph.fill<2.0> {device = "/job:worker/task:1"}
  graph.variable @c : tensor<4xf32> = #graph.fill<3.0> {device = "/job:worker/task:2"}
  graph.func @two() {
    %a = graph.read @a : tensor<4xf32>
    %b = graph.read @b : tensor<4xf32>
    %p = graph.exp %a {device = "/job:worker/task:0"} : tensor<4xf32>
    %q = graph.neg %a {device = "/job:worker/task:0"} : tensor<4xf32>
    %r = graph.exp %b {device = "/job:worker/task:1"} : tensor<4xf32>
    %s = graph.sub %p, %q {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
    %t = graph.sub %q, %r {device = "/job:worker/task:0"} : tensor<4xf32>, tensor<4xf32>
    %u = graph.sub %s, %r {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
    graph.output "t" = %t : tensor<4xf32>
    graph.output "u" = %u : tensor<4xf32>
  }
  graph.func @three() {
    %a = graph.read @a : tensor<4xf32>
    %b = graph.read @b : tensor<4xf32>
    %c = graph.read @c : tensor<4xf32>
    %x = graph.exp %a {device = "/job:worker/task:0"} : tensor<4xf32>
    %y = graph.add %x, %b {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
    %z = graph.add %y, %c {device = "/job:worker/task:2"} : tensor<4xf32>, tensor<4xf32>
    %o = graph.add %z, %x {device = "/job:worker/task:0"} : tensor<4xf32>, tensor<4xf32>
    graph.output "o" = %o : tensor<4xf32>
  }
}
