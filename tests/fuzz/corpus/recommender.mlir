graph.variable @users : tensor<20x8xf32> = #graph.uniform<-0.1, 1>
graph.variable @items : tensor<10x8xf32> = #graph.normal<0.0, 0.1>
graph.func @train(%user: tensor<5xi64>, %item: tensor<5xi64>, %score: tensor<5xf32>) {
  %u.table = graph.read @users : tensor<20x8xf32>
  %i.table = graph.read @items : tensor<10x8xf32>
  %u = graph.gather %u.table, %user axis 0 : tensor<20x8xf32>, tensor<5xi64>
  %i = graph.gather %i.table, %item axis 0 : tensor<10x8xf32>, tensor<5xi64>
  %both = graph.mul %u, %i : tensor<5x8xf32>, tensor<5x8xf32>
  %guess = graph.reduce_sum %both axes [1] : tensor<5x8xf32>
  %off = graph.sub %guess, %score : tensor<5xf32>, tensor<5xf32>
  %error = graph.square %off : tensor<5xf32>
  %loss = graph.reduce_mean %error axes [0] : tensor<5xf32>
  graph.minimize %loss : tensor<f32> with #graph.adagrad<learning_rate = #graph.piecewise_constant<boundaries = [40000], values = [0.5, 0.25], batch = 5>, initial_accumulator = 0.1>
  graph.output "loss" = %loss : tensor<f32>
}
