!width = index
graph.func @f(%x: tensor<2xf32>) {
  %y = graph.neg %x {device = "/job:ps", a = array // of what?
    <!width: 1, 2>} : tensor<2xf32>
}
