// From a graph to the programs of a parameter server, a worker template and the
// chief. Each task's partitions come in the order in which it runs them.
// RUN: dtc-opt %S/Inputs/mlp.mlir "-dist-placement-pipeline=cluster=ps=1,worker=2 mode=between-graph" -dist-partition-pipeline -o %t
// RUN: FileCheck %s < %t
// RUN: dtc-opt %S/Inputs/mlp.mlir "-dist-placement-pipeline=cluster=ps=2,worker=2 mode=between-graph" -dist-partition-pipeline | FileCheck %s --check-prefix=TWO

// The same text for a thousand workers.
// RUN: dtc-opt %S/Inputs/mlp.mlir "-dist-placement-pipeline=cluster=ps=1,worker=1000 mode=between-graph" -dist-partition-pipeline | sed 's/worker = 1000/worker = 2/; s/replicas = 1000/replicas = 2/' | cmp - %t

// CHECK-LABEL: graph.func @train() attributes {dist.replicas = 2 : i64}
// The ps serves its variables to each worker.
// CHECK: %ps0.w, %ps0.b = dist.partition on <ps:0/cpu:0> serve
// CHECK: dist.send %ps0.w key "w:0 ps:0->worker:*" to <worker:*/cpu:0> reason "lives on ps:0; 'h' on worker:* takes it"
// CHECK: dist.send %ps0.b key "b:0 ps:0->worker:*"
// One template for all workers.
// CHECK: dist.partition on <worker:*/cpu:0> step
// CHECK: graph.input
// CHECK: dist.send %worker.loss key "loss:0 worker:*->worker:0"
// CHECK: dist.send %worker.w.grad key "w.grad:0 worker:*->ps:0"
// CHECK: dist.send %worker.b.grad key "b.grad:0 worker:*->ps:0"
// The ps takes each worker's gradients in, and the chief its loss.
// CHECK: dist.partition on <ps:0/cpu:0> serve
// CHECK: dist.accumulate %w.grad into "w.grad"
// CHECK: dist.accumulate %b.grad into "b.grad"
// CHECK: dist.partition on <worker:0/cpu:0> serve
// CHECK: dist.accumulate %loss into "loss"
// Once a step, the update; nothing leaves the ps.
// CHECK: dist.partition on <ps:0/cpu:0> apply {
// CHECK: dist.take "w.grad"
// CHECK: graph.apply_momentum
// CHECK: graph.assign @b
// CHECK: dist.partition on <worker:0/cpu:0> apply {
// CHECK: dist.take "loss"
// CHECK: graph.output "loss"

// An entry without updates: ps and chief alone.
// CHECK-LABEL: graph.func @predict(%x: tensor<1x4xf32>) attributes {dist.replicas = 1 : i64}
// CHECK: dist.partition on <ps:0/cpu:0> step
// CHECK: dist.send %ps0.w key "w:0 ps:0->worker:0"
// CHECK: dist.partition on <worker:0/cpu:0> step
// CHECK: "x" = %x as %x_0: tensor<1x4xf32> feed
// CHECK-NOT: dist.partition

// Two parameter servers share the variables; an update stays with its own.
// TWO-LABEL: graph.func @train
// TWO: dist.send %ps0.w key "w:0 ps:0->worker:*"
// TWO: dist.send %ps1.b key "b:0 ps:1->worker:*"
// TWO: dist.send %worker.w.grad key "w.grad:0 worker:*->ps:0"
// TWO: dist.send %worker.b.grad key "b.grad:0 worker:*->ps:1"
// TWO: dist.partition on <ps:0/cpu:0> apply
// TWO: graph.apply_momentum
// TWO: dist.partition on <ps:1/cpu:0> apply
// TWO: graph.apply_gradient_descent
