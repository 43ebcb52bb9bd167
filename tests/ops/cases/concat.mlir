// along the first axis
graph.func @rows(%a: tensor<2x5xf64>, %b: tensor<3x5xf64>) {
  %y = graph.concat %a, %b axis 0 : tensor<2x5xf64>, tensor<3x5xf64>
  graph.output "y" = %y : tensor<5x5xf64>
}

// three along the last axis
graph.func @columns(%a: tensor<3x2xf64>, %b: tensor<3x1xf64>, %c: tensor<3x4xf64>) {
  %y = graph.concat %a, %b, %c axis 1 : tensor<3x2xf64>, tensor<3x1xf64>, tensor<3x4xf64>
  graph.output "y" = %y : tensor<3x7xf64>
}

// an axis between others
graph.func @middle(%a: tensor<2x1x3xf64>, %b: tensor<2x4x3xf64>) {
  %y = graph.concat %a, %b axis 1 : tensor<2x1x3xf64>, tensor<2x4x3xf64>
  graph.output "y" = %y : tensor<2x5x3xf64>
}

// one operand
graph.func @one(%a: tensor<7xf64>) {
  %y = graph.concat %a axis 0 : tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// the same operand twice
graph.func @twice(%a: tensor<3x2xf64>) {
  %y = graph.concat %a, %a axis 1 : tensor<3x2xf64>, tensor<3x2xf64>
  graph.output "y" = %y : tensor<3x4xf64>
}

// a piece without elements
graph.func @empty_piece(%a: tensor<2x3xf64>, %b: tensor<2x0xf64>, %c: tensor<2x1xf64>) {
  %y = graph.concat %a, %b, %c axis 1 : tensor<2x3xf64>, tensor<2x0xf64>, tensor<2x1xf64>
  graph.output "y" = %y : tensor<2x4xf64>
}

// no element
graph.func @empty(%a: tensor<0x2xf64>, %b: tensor<0x3xf64>) {
  %y = graph.concat %a, %b axis 1 : tensor<0x2xf64>, tensor<0x3xf64>
  graph.output "y" = %y : tensor<0x5xf64>
}

// 64 bits
graph.func @integers(%a: tensor<2x3xi64>, %b: tensor<1x3xi64>) {
  %y = graph.concat %a, %b axis 0 : tensor<2x3xi64>, tensor<1x3xi64>
  graph.output "y" = %y : tensor<3x3xi64>
}

// infinities, NaN and -0
graph.func @special_values(%a: tensor<5xf64>, %b: tensor<5xf64>) {
  %y = graph.concat %a, %b axis 0 : tensor<5xf64>, tensor<5xf64>
  graph.output "y" = %y : tensor<10xf64>
}

// single bytes
graph.func @bools(%a: tensor<3xi1>, %b: tensor<4xi1>) {
  %y = graph.concat %a, %b axis 0 : tensor<3xi1>, tensor<4xi1>
  graph.output "y" = %y : tensor<7xi1>
}
