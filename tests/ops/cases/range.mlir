// exact steps
graph.func @halves() {
  %y = graph.range from 0.0 by 0.5 : tensor<8xf64>
  graph.output "y" = %y : tensor<8xf64>
}

// rounded once an element
graph.func @tenths() {
  %y = graph.range from 0.3 by 0.1 : tensor<37xf64>
  graph.output "y" = %y : tensor<37xf64>
}

// a negative step
graph.func @down() {
  %y = graph.range from 2.5 by -1.25 : tensor<7xf64>
  graph.output "y" = %y : tensor<7xf64>
}

// a step of 0
graph.func @constant() {
  %y = graph.range from 3.0 by 0.0 : tensor<4xf64>
  graph.output "y" = %y : tensor<4xf64>
}

// only the start
graph.func @one() {
  %y = graph.range from -1.5 by 9.0 : tensor<1xf64>
  graph.output "y" = %y : tensor<1xf64>
}

// no element
graph.func @empty() {
  %y = graph.range from 1.0 by 1.0 : tensor<0xf64>
  graph.output "y" = %y : tensor<0xf64>
}

// 64 bits
graph.func @integers() {
  %y = graph.range from 0.0 by 1.0 : tensor<9xi64>
  graph.output "y" = %y : tensor<9xi64>
}

// 32 bits, through 0
graph.func @integers_down() {
  %y = graph.range from 5.0 by -3.0 : tensor<6xi32>
  graph.output "y" = %y : tensor<6xi32>
}
