graph.func @f(%x: tensor<4x3xf32>, %y: tensor<3xf32>, %n: tensor<4x1xi32>, %b: tensor<4x3xi1>) {
  %half = graph.constant dense<0.5> : tensor<f32>
  %many = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %big = graph.constant dense<1.5> : tensor<1000x1000xf32>
  %twice = graph.add %big, %big : tensor<1000x1000xf32>, tensor<1000x1000xf32>
  %a = graph.mul %x, %half : tensor<4x3xf32>, tensor<f32>
  %c = graph.div %a, %many {device = "/job:worker/task:1"} : tensor<4x3xf32>, tensor<3xf32>
  %d = graph.pow %c, %y : tensor<4x3xf32>, tensor<3xf32>
  %e = graph.clip %d from 0.0 to 1.0 : tensor<4x3xf32>
  %f = graph.leaky_relu %e alpha 0.2 : tensor<4x3xf32>
  %g = graph.gelu %f approximate : tensor<4x3xf32>
  %h = graph.less %g, %x : tensor<4x3xf32>, tensor<4x3xf32>
  %i = graph.logical_and %h, %b : tensor<4x3xi1>, tensor<4x3xi1>
  %j = graph.where %i, %x, %y : tensor<4x3xi1>, tensor<4x3xf32>, tensor<3xf32>
  %k = graph.floor_div %n, %n : tensor<4x1xi32>, tensor<4x1xi32>
  %l = graph.cast %k : tensor<4x1xi32> to tensor<4x1xf32>
  %m = graph.sub %j, %l : tensor<4x3xf32>, tensor<4x1xf32>
  graph.output "m" = %m : tensor<4x3xf32>
  graph.output "twice" = %twice : tensor<1000x1000xf32>
}
