module @recommender {
  graph.variable @"items/table" : tensor<100x8xf32> = #graph.uniform<-5.000000e-02, 5.000000e-02>
  graph.variable @"users/table" : tensor<200x8xf32> = #graph.uniform<-5.000000e-02, 5.000000e-02>
  graph.variable @"user_bias/table" : tensor<200x1xf32> = #graph.uniform<-5.000000e-02, 5.000000e-02>
  graph.variable @"item_bias/table" : tensor<100x1xf32> = #graph.uniform<-5.000000e-02, 5.000000e-02>
  graph.func @train() {
    %user, %item, %rating = graph.input "ratings" at "examples/recommender/ratings.csv.gz" rows 0 to 5000 shuffle [#graph.column<"user", fields 0 to 1, scale 1.000000e+00, range 0.000000e+00 to 1.990000e+02>, #graph.column<"item", fields 1 to 2, scale 1.000000e+00, range 0.000000e+00 to 9.900000e+01>, #graph.column<"rating", fields 2 to 3, scale 1.000000e+00, range 1.000000e+00 to 5.000000e+00>] : tensor<50xi64>, tensor<50xi64>, tensor<50x1xf32>
    %items.table = graph.read @"items/table" : tensor<100x8xf32>
    %items = graph.gather %items.table, %item axis 0 : tensor<100x8xf32>, tensor<50xi64>
    %users.table = graph.read @"users/table" : tensor<200x8xf32>
    %users = graph.gather %users.table, %user axis 0 : tensor<200x8xf32>, tensor<50xi64>
    %tastes = graph.mul %users, %items : tensor<50x8xf32>, tensor<50x8xf32>
    %match = graph.reduce_sum %tastes axes [1] keep_dims : tensor<50x8xf32>
    %user_bias.table = graph.read @"user_bias/table" : tensor<200x1xf32>
    %user_bias = graph.gather %user_bias.table, %user axis 0 : tensor<200x1xf32>, tensor<50xi64>
    %add_0 = graph.add %match, %user_bias : tensor<50x1xf32>, tensor<50x1xf32>
    %item_bias.table = graph.read @"item_bias/table" : tensor<100x1xf32>
    %item_bias = graph.gather %item_bias.table, %item axis 0 : tensor<100x1xf32>, tensor<50xi64>
    %add_1 = graph.add %add_0, %item_bias : tensor<50x1xf32>, tensor<50x1xf32>
    %middle = graph.constant dense<3.000000e+00> : tensor<f32>
    %add_2 = graph.add %add_1, %middle : tensor<50x1xf32>, tensor<f32>
    %error = graph.sub %add_2, %rating : tensor<50x1xf32>, tensor<50x1xf32>
    %squared = graph.square %error : tensor<50x1xf32>
    %loss = graph.reduce_mean %squared axes [0, 1] : tensor<50x1xf32>
    graph.minimize %loss : tensor<f32> with #graph.adagrad<learning_rate = 3.000000e-01>
    graph.output "loss" = %loss : tensor<f32>
  }
  graph.func @eval() {
    %user, %item, %rating = graph.input "ratings" at "examples/recommender/ratings.csv.gz" rows 5000 to 6000 [#graph.column<"user", fields 0 to 1, scale 1.000000e+00, range 0.000000e+00 to 1.990000e+02>, #graph.column<"item", fields 1 to 2, scale 1.000000e+00, range 0.000000e+00 to 9.900000e+01>, #graph.column<"rating", fields 2 to 3, scale 1.000000e+00, range 1.000000e+00 to 5.000000e+00>] : tensor<1000xi64>, tensor<1000xi64>, tensor<1000x1xf32>
    %items.table = graph.read @"items/table" : tensor<100x8xf32>
    %items = graph.gather %items.table, %item axis 0 : tensor<100x8xf32>, tensor<1000xi64>
    %users.table = graph.read @"users/table" : tensor<200x8xf32>
    %users = graph.gather %users.table, %user axis 0 : tensor<200x8xf32>, tensor<1000xi64>
    %tastes = graph.mul %users, %items : tensor<1000x8xf32>, tensor<1000x8xf32>
    %match = graph.reduce_sum %tastes axes [1] keep_dims : tensor<1000x8xf32>
    %user_bias.table = graph.read @"user_bias/table" : tensor<200x1xf32>
    %user_bias = graph.gather %user_bias.table, %user axis 0 : tensor<200x1xf32>, tensor<1000xi64>
    %add_0 = graph.add %match, %user_bias : tensor<1000x1xf32>, tensor<1000x1xf32>
    %item_bias.table = graph.read @"item_bias/table" : tensor<100x1xf32>
    %item_bias = graph.gather %item_bias.table, %item axis 0 : tensor<100x1xf32>, tensor<1000xi64>
    %add_1 = graph.add %add_0, %item_bias : tensor<1000x1xf32>, tensor<1000x1xf32>
    %middle = graph.constant dense<3.000000e+00> : tensor<f32>
    %add_2 = graph.add %add_1, %middle : tensor<1000x1xf32>, tensor<f32>
    %error = graph.sub %add_2, %rating : tensor<1000x1xf32>, tensor<1000x1xf32>
    %squared = graph.square %error : tensor<1000x1xf32>
    %loss = graph.reduce_mean %squared axes [0, 1] : tensor<1000x1xf32>
    graph.output "loss" = %loss : tensor<f32>
  }
}

