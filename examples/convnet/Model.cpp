// Handwritten digits by a small convolutional network. Prints convnet.mlir:
//
//   build/release/bin/convnet_model > examples/convnet/convnet.mlir
#include "dialects/graph/GraphBuilder.h"
#include <iostream>

using namespace dtc::graph;

/// Rows of examples/digits: 8x8 pixels from 0 to 16, then the label.
static Dataset digits(int64_t first, int64_t end, int64_t batch, bool shuffle) {
  return {.name = "digits",
          .path = "examples/digits/digits.csv.gz",
          .firstRow = first,
          .endRow = end,
          .batch = batch,
          .shuffle = shuffle,
          .columns = {{"pixels", {8, 8, 1}, 0, 64, 0.125, 0, 16},
                      {"label", {}, 64, 65, 1, 0, 9, "i64"}}};
}

/// Two convolutions, normalised over the batch, and a classifier.
static mlir::Value logits(Scope &net, mlir::Value pixels) {
  mlir::Value h = net.conv2d(pixels, 16, {3, 3}, "conv1");
  h = net.maxPool(net.relu(net.batchNorm(h, "norm1", 0.9)), 2, 2);
  h = net.conv2d(h, 32, {3, 3}, "conv2");
  h = net.maxPool(net.relu(net.batchNorm(h, "norm2", 0.9)), 2, 2);
  return net.dense(net.flatten(h), 10, "classes");
}

static mlir::Value accuracy(Scope &net, mlir::Value logits,
                            mlir::Value labels) {
  mlir::Value guess = net.make<ArgmaxOp>("guess", logits, 1);
  mlir::Value right = net.make<EqualOp>("right", guess, labels);
  auto type = llvm::cast<mlir::RankedTensorType>(labels.getType());
  mlir::Value score = net.make<CastOp>(
      "score", type.clone(mlir::Float32Type::get(type.getContext())), right);
  return net.make<ReduceMeanOp>("accuracy", score, llvm::ArrayRef<int64_t>(0),
                                /*keep_dims=*/false);
}

int main() {
  GraphBuilder graph("convnet");
  for (bool trains : {true, false}) {
    Scope net = graph.entry(trains ? "train" : "eval", trains);
    auto columns = net.input(trains ? digits(0, 1500, 50, true)
                                    : digits(1500, 1797, 297, false));
    mlir::Value scores = logits(net, columns[0]);
    mlir::Value loss = net.crossEntropy(scores, columns[1], "loss");
    if (trains)
      net.minimize(loss, net.adam(0.002));
    else
      net.output("accuracy", accuracy(net, scores, columns[1]));
    net.output("loss", loss);
  }
  auto text = graph.print();
  if (failed(text))
    return 1;
  std::cout << *text;
}
