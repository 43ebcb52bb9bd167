// What TensorFlow's partitioner does, case by case, as ours does it.
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=worker=2 mode=in-graph" -dist-partition-pipeline | FileCheck %s
// RUN: dtc-opt %s "-dist-placement-pipeline=cluster=worker=2 mode=in-graph" -dist-partition-pipeline -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOCATED

// G1, G2: ops of one task are one partition, and what they hand on stays in it.
// CHECK-LABEL: graph.func @oneTask
// CHECK-NEXT: dist.partition on <worker:0/cpu:0> step
// CHECK-NOT: dist.{{send|partition}}
graph.func @oneTask(%x: tensor<2xf32>) {
  %a = graph.exp %x : tensor<2xf32>
  %b = graph.add %a, %a : tensor<2xf32>, tensor<2xf32>
  // CHECK: dist.yield
  graph.output "b" = %b : tensor<2xf32>
}

// G3: what crosses is sent by the one and received by the other, under a key
// that names value, result and tasks. G7: as it is: nothing is rounded on the
// way unless that is asked for.
// CHECK-LABEL: graph.func @data
// CHECK: %worker0.a = dist.partition on <worker:0/cpu:0> step
// CHECK: dist.send %worker0.a key "a:0 worker:0->worker:1" to <worker:1/cpu:0> {{.*}}: !dist.placed<tensor<2xf32>, worker:0/cpu:0>
// CHECK-NEXT: %worker1.a = dist.recv key "a:0 worker:0->worker:1" from <worker:0/cpu:0> : !dist.placed<tensor<2xf32>, worker:1/cpu:0>
// CHECK: dist.partition on <worker:1/cpu:0> step
// CHECK: ("a" = %worker1.a as %a
// Both ends, and the ops on either side, remember where they were written.
// LOCATED-LABEL: graph.func @data
// LOCATED: graph.exp {{.*}} loc("a"({{.*}}partition-rules.mlir":[[#@LINE+5]]:8))
// LOCATED: dist.send {{.*}} loc("a"({{.*}}partition-rules.mlir":[[#@LINE+4]]:8))
// LOCATED: dist.recv {{.*}} loc("a"({{.*}}partition-rules.mlir":[[#@LINE+3]]:8))
// LOCATED: graph.neg {{.*}} loc("b"({{.*}}partition-rules.mlir":[[#@LINE+3]]:8))
graph.func @data(%x: tensor<2xf32>) {
  %a = graph.exp %x {device = "/job:worker/task:0"} : tensor<2xf32>
  %b = graph.neg %a {device = "/job:worker/task:1"} : tensor<2xf32>
  graph.output "b" = %b : tensor<2xf32>
}

// G4: however many ops take it, and whichever of their operands it is, a value
// crosses once; each result of an op is a value of its own.
// CHECK-LABEL: graph.func @multiUse
// CHECK: dist.send %worker0.p key "p:0 worker:0->worker:1"
// CHECK: dist.send %worker0.q key "q:1 worker:0->worker:1"
// CHECK-NOT: dist.send {{.*}}->worker:1
graph.func @multiUse(%x: tensor<4xf32>) {
  %p, %q = graph.split %x axis 0 sizes [2, 2] {device = "/job:worker/task:0"} : tensor<4xf32>
  %b = graph.add %p, %p {device = "/job:worker/task:1"} : tensor<2xf32>, tensor<2xf32>
  %c = graph.sub %q, %p {device = "/job:worker/task:1"} : tensor<2xf32>, tensor<2xf32>
  %d = graph.mul %b, %q {device = "/job:worker/task:1"} : tensor<2xf32>, tensor<2xf32>
  graph.output "c" = %c : tensor<2xf32>
  graph.output "d" = %d : tensor<2xf32>
}

// G5: who waits for another task without a value of it takes an empty tensor,
// which crosses like any other, and once; the value itself crosses beside it.
// CHECK-LABEL: graph.func @control
// CHECK: dist.send %worker0.a key "a:0 worker:0->worker:1"
// CHECK: dist.send %worker0.token key "token:0 worker:0->worker:1" {{.*}}: !dist.placed<tensor<0xf32>, worker:0/cpu:0>
// CHECK-NOT: dist.send {{.*}}->worker:1
// CHECK: dist.partition on <worker:1/cpu:0> step
// CHECK: "token" = %worker1.token as %token: tensor<0xf32>
graph.func @control(%x: tensor<2xf32>) {
  %a = graph.exp %x {device = "/job:worker/task:0"} : tensor<2xf32>
  %token = graph.slice %a begin [0] size [0] {device = "/job:worker/task:0"} : tensor<2xf32>
  %b = graph.neg %a {device = "/job:worker/task:1"} : tensor<2xf32>
  %c = graph.concat %b, %token axis 0 {device = "/job:worker/task:1"} : tensor<2xf32>, tensor<0xf32>
  %d = graph.concat %token, %c axis 0 {device = "/job:worker/task:1"} : tensor<0xf32>, tensor<2xf32>
  graph.output "d" = %d : tensor<2xf32>
}

// Ops that do not depend on each other keep the order in which they were
// written; so do the edges that they feed, also where names would sort
// otherwise.
// CHECK-LABEL: graph.func @noDependencies
// CHECK: dist.send {{.*}}key "z:0
// CHECK: dist.send {{.*}}key "y:0
// CHECK: dist.send {{.*}}key "x2:0
graph.func @noDependencies(%x: tensor<2xf32>) {
  %z = graph.exp %x {device = "/job:worker/task:0"} : tensor<2xf32>
  %y = graph.neg %x {device = "/job:worker/task:0"} : tensor<2xf32>
  %x2 = graph.abs %x {device = "/job:worker/task:0"} : tensor<2xf32>
  %s = graph.sub %z, %y {device = "/job:worker/task:1"} : tensor<2xf32>, tensor<2xf32>
  %t = graph.sub %s, %x2 {device = "/job:worker/task:1"} : tensor<2xf32>, tensor<2xf32>
  graph.output "t" = %t : tensor<2xf32>
}
