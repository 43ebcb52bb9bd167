// a new first axis
graph.func @front(%a: tensor<3x5xf64>, %b: tensor<3x5xf64>) {
  %y = graph.stack %a, %b axis 0 : tensor<3x5xf64>, tensor<3x5xf64>
  graph.output "y" = %y : tensor<2x3x5xf64>
}

// a new axis between
graph.func @middle(%a: tensor<3x2xf64>, %b: tensor<3x2xf64>, %c: tensor<3x2xf64>) {
  %y = graph.stack %a, %b, %c axis 1 : tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>
  graph.output "y" = %y : tensor<3x3x2xf64>
}

// a new last axis
graph.func @back(%a: tensor<7xf64>, %b: tensor<7xf64>) {
  %y = graph.stack %a, %b axis 1 : tensor<7xf64>, tensor<7xf64>
  graph.output "y" = %y : tensor<7x2xf64>
}

// scalars to a vector
graph.func @scalars(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>) {
  %y = graph.stack %a, %b, %c axis 0 : tensor<f64>, tensor<f64>, tensor<f64>
  graph.output "y" = %y : tensor<3xf64>
}

// one operand
graph.func @one(%a: tensor<2x3xf64>) {
  %y = graph.stack %a axis 2 : tensor<2x3xf64>
  graph.output "y" = %y : tensor<2x3x1xf64>
}

// the same operand twice
graph.func @twice(%a: tensor<4xf64>) {
  %y = graph.stack %a, %a axis 0 : tensor<4xf64>, tensor<4xf64>
  graph.output "y" = %y : tensor<2x4xf64>
}

// no element
graph.func @empty(%a: tensor<3x0xf64>, %b: tensor<3x0xf64>) {
  %y = graph.stack %a, %b axis 1 : tensor<3x0xf64>, tensor<3x0xf64>
  graph.output "y" = %y : tensor<3x2x0xf64>
}

// 32 bits
graph.func @integers(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  %y = graph.stack %a, %b axis 0 : tensor<4xi32>, tensor<4xi32>
  graph.output "y" = %y : tensor<2x4xi32>
}
