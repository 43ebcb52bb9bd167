// A partition by hand: each of three tasks needs what the one before it makes.
module @ring attributes {dist.cluster = #dist.cluster<worker = 3>, dist.mode = #dist.mode<in_graph>, dist.update = #dist.update<sync>} {
  graph.func @three() attributes {dist.replicas = 1 : i64} {
    %worker0.z = dist.recv key "z:0 worker:2->worker:0" from <worker:2/cpu:0> : !dist.placed<tensor<4xf32>, worker:0/cpu:0>
    %worker0.x = dist.partition on <worker:0/cpu:0> step ("z" = %worker0.z as %z: tensor<4xf32> from <worker:2/cpu:0>) -> ("x" : tensor<4xf32>) {
      %x = graph.exp %z : tensor<4xf32>
      dist.yield %x : tensor<4xf32>
    }
    dist.send %worker0.x key "x:0 worker:0->worker:1" to <worker:1/cpu:0> reason "by hand" : !dist.placed<tensor<4xf32>, worker:0/cpu:0>
    %worker1.x = dist.recv key "x:0 worker:0->worker:1" from <worker:0/cpu:0> : !dist.placed<tensor<4xf32>, worker:1/cpu:0>
    %worker1.y = dist.partition on <worker:1/cpu:0> step ("x" = %worker1.x as %x: tensor<4xf32> from <worker:0/cpu:0>) -> ("y" : tensor<4xf32>) {
      %y = graph.neg %x : tensor<4xf32>
      dist.yield %y : tensor<4xf32>
    }
    dist.send %worker1.y key "y:0 worker:1->worker:2" to <worker:2/cpu:0> reason "by hand" : !dist.placed<tensor<4xf32>, worker:1/cpu:0>
    %worker2.y = dist.recv key "y:0 worker:1->worker:2" from <worker:1/cpu:0> : !dist.placed<tensor<4xf32>, worker:2/cpu:0>
    %worker2.z = dist.partition on <worker:2/cpu:0> step ("y" = %worker2.y as %y: tensor<4xf32> from <worker:1/cpu:0>) -> ("z" : tensor<4xf32>) {
      %z = graph.abs %y : tensor<4xf32>
      dist.yield %z : tensor<4xf32>
    }
    dist.send %worker2.z key "z:0 worker:2->worker:0" to <worker:0/cpu:0> reason "by hand" : !dist.placed<tensor<4xf32>, worker:2/cpu:0>
  }
}
