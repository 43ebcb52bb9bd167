// What makes values out of nothing goes to its consumers, if they agree and it
// has no device of its own (P3).
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=ps=1,worker=3 mode=in-graph" | FileCheck %s

// CHECK-LABEL: graph.func @f
graph.func @f() {
  // Several consumers on one device.
  // CHECK: %one = graph.input {{.*}}#dist.device<worker:1/cpu:0>, dist.reason = #dist.reason<"where 'a' uses it">
  %one = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // Consumers that do not agree.
  // CHECK: %two = graph.input {{.*}}#dist.device<worker:0/cpu:0>, dist.reason = #dist.reason<"no device asked for: the first task of job worker computes it">
  %two = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] : tensor<4xf32>
  // A device of its own, all of it or in part.
  // CHECK: %own = graph.input {{.*}}#dist.device<worker:2/cpu:0>
  %own = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {device = "/job:worker/task:2"} : tensor<4xf32>
  // CHECK: %part = graph.input {{.*}}#dist.device<worker:0/cpu:0>
  %part = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {device = "/job:worker"} : tensor<4xf32>
  // With another, wherever its consumer is.
  // CHECK: %with = graph.input {{.*}}#dist.device<ps:0/cpu:0>
  %with = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {colocate = ["b"]} : tensor<4xf32>
  // A group of which nobody asks for anything is where the op that computes is.
  // CHECK: %still = graph.input {{.*}}#dist.device<worker:0/cpu:0>
  %still = graph.input "d" rows 0 to 8 [#graph.column<"x", fields 0 to 1, scale 1.0, range 0.0 to 1.0>] {colocate = ["c"]} : tensor<4xf32>
  %a = graph.add %one, %two {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  %a2 = graph.add %one, %own {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  %b = graph.add %two, %part {device = "/job:ps"} : tensor<4xf32>, tensor<4xf32>
  %b2 = graph.add %with, %still {device = "/job:worker/task:1"} : tensor<4xf32>, tensor<4xf32>
  // CHECK: %c = {{.*}}#dist.device<worker:0/cpu:0>
  %c = graph.neg %b : tensor<4xf32>
  graph.output "c" = %c : tensor<4xf32>
  graph.output "a2" = %a2 : tensor<4xf32>
  graph.output "a" = %a : tensor<4xf32>
  graph.output "b2" = %b2 : tensor<4xf32>
}
