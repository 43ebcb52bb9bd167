// What ops of a function want to be with is renamed with its values; what the
// call wants to be with, all its ops do.
// RUN: dtc-opt %s -graph-inline | FileCheck %s

module @colocations {
  graph.variable @w : tensor<4xf32> = #graph.fill<0.0>

  graph.func private @block(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = graph.neg %x : tensor<4xf32>
    %b = graph.exp %a {colocate = ["a", "c", "w"]} : tensor<4xf32>
    %c = graph.neg %b : tensor<4xf32>
    graph.return %c : tensor<4xf32>
  }

  // CHECK-LABEL: graph.func @predict
  graph.func @predict(%x: tensor<4xf32>) {
    // CHECK: %y.b = graph.exp %y.a {colocate = ["y.a", "y", "w"]}
    // CHECK-NEXT: %y = graph.neg %y.b :
    %y = graph.call @block(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: %z.a = graph.neg %y {colocate = ["y"]}
    // CHECK: %z.b = graph.exp %z.a {colocate = ["z.a", "z", "w"]}
    // CHECK: %z = graph.neg %z.b {colocate = ["y"]}
    %z = graph.call @block(%y) {colocate = ["y"]} : (tensor<4xf32>) -> tensor<4xf32>
    graph.output "z" = %z : tensor<4xf32>
  }
}
