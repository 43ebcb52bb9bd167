// Towers' rows of a table are joined in the graph: in the order of the towers,
// divided by their number, for one update.
// RUN: dtc-opt %s -split-input-file -graph-expand-training -graph-prune -graph-assign-names -dist-assign-jobs="mode=local" -dist-replicate=replicas=3 | FileCheck %s

// CHECK-LABEL: module @sgd
module @sgd {
  graph.variable @t : tensor<9x2xf32> = #graph.fill<1.0>
  graph.func @train() {
    %ids = graph.input "set" at "set.csv" rows 0 to 90 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 8.0>] : tensor<6xi64>
    %t = graph.read @t : tensor<9x2xf32>
    %rows = graph.gather %t, %ids axis 0 : tensor<9x2xf32>, tensor<6xi64>
    %squares = graph.square %rows : tensor<6x2xf32>
    %loss = graph.reduce_sum %squares axes [0, 1] : tensor<6x2xf32>
    graph.minimize %loss : tensor<f32> with #graph.sgd<learning_rate = 0.5>
    // CHECK: %[[ALL:.*]] = graph.concat %[[A:.*]], %[[A]].r1, %[[A]].r2 axis 0 {{.*}}"rows of 3 towers, for {{.*}}graph.update = @t} : tensor<6x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>
    // CHECK: %[[THREE:.*]] = graph.constant {{.*}}dense<3.0
    // CHECK: %[[MEAN:.*]] = graph.div %[[ALL]], %[[THREE]]
    // CHECK: %[[CHANGE:.*]] = graph.mul %[[MEAN]], {{.*}} : tensor<18x2xf32>, tensor<f32>
    // CHECK: %ids.all = graph.concat %ids, %ids.r1, %ids.r2 axis 0
    // CHECK: graph.scatter_add %t, %ids.all, %[[CHANGE]] {{.*}} : tensor<9x2xf32>, tensor<18xi64>, tensor<18x2xf32>
  }
}

// -----
// Indices that are the same in all towers are joined too: one for each row.
// 16 bits are divided as they are averaged, in f32.
// CHECK-LABEL: module @fed
module @fed {
  graph.variable @t : tensor<9x2xbf16> = #graph.fill<1.0>
  graph.func @train(%ids: tensor<6xi64>) {
    %x = graph.input "set" at "set.csv" rows 0 to 90 [#graph.column<"x", fields 0 to 2, scale 1.0, range 0.0 to 8.0>] : tensor<6x2xbf16>
    %t = graph.read @t : tensor<9x2xbf16>
    %rows = graph.gather %t, %ids axis 0 : tensor<9x2xbf16>, tensor<6xi64>
    %y = graph.mul %rows, %x : tensor<6x2xbf16>, tensor<6x2xbf16>
    %loss = graph.reduce_sum %y axes [0, 1] : tensor<6x2xbf16>
    graph.minimize %loss : tensor<bf16> with #graph.adagrad<learning_rate = 0.5>
    // CHECK: %ids.all = graph.concat %ids, %ids, %ids axis 0
    // CHECK: %[[WIDE:.*]] = graph.cast %{{.*}} : tensor<18x2xbf16> to tensor<18x2xf32>
    // CHECK: %[[QUOTIENT:.*]] = graph.div %[[WIDE]]
    // CHECK: %[[MEAN:.*]] = graph.cast %[[QUOTIENT]] {{.*}} : tensor<18x2xf32> to tensor<18x2xbf16>
    // CHECK: graph.unique_rows %ids.all, %[[MEAN]] {{.*}} : tensor<18xi64>, tensor<18x2xbf16>
  }
}
