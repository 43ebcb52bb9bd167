// Sorts six numbers by two transformer blocks. Prints
// transformer.mlir:
//
//   build/release/bin/transformer_model > examples/transformer/transformer.mlir
#include "dialects/graph/GraphBuilder.h"
#include <iostream>

using namespace dtc::graph;

constexpr int64_t length = 6, words = 10, width = 32, heads = 4, blocks = 2;

/// Rows of sequences.csv.gz: six numbers from 0 to 9, then the same sorted.
static Dataset sequences(int64_t first, int64_t end, int64_t batch,
                         bool shuffle) {
  return {
      .name = "sequences",
      .path = "examples/transformer/sequences.csv.gz",
      .firstRow = first,
      .endRow = end,
      .batch = batch,
      .shuffle = shuffle,
      .columns = {
          {"numbers", {length}, 0, length, 1, 0, words - 1, "i64"},
          {"sorted", {length}, length, 2 * length, 1, 0, words - 1, "i64"}}};
}

/// Attention and two dense layers, each behind a norm and beside a shortcut.
static mlir::Value block(Scope &net, mlir::Value x, const std::string &name,
                         int64_t batch) {
  mlir::Value h = net.layerNorm(x, name + "/norm1");
  x = net.add(x, net.attention(h, heads, name + "/attention"));
  h = net.layerNorm(x, name + "/norm2");
  h = net.reshape(h, {batch * length, width});
  h = net.gelu(net.dense(h, 2 * width, name + "/up"));
  h = net.dense(h, width, name + "/down");
  return net.add(x, net.reshape(h, {batch, length, width}));
}

/// A row of scores for each place of each sequence.
static mlir::Value logits(Scope &net, mlir::Value numbers, int64_t batch) {
  mlir::Value places = net.make<RangeOp>(
      "places",
      mlir::RankedTensorType::get(
          {length}, mlir::IntegerType::get(numbers.getContext(), 64)),
      llvm::APFloat(0.0), llvm::APFloat(1.0));
  mlir::Value x = net.add(net.embedding(numbers, words, width, "words"),
                          net.embedding(places, length, width, "position"));
  for (int64_t i = 0; i < blocks; ++i)
    x = block(net, x, "block" + std::to_string(i), batch);
  x = net.reshape(net.layerNorm(x, "norm"), {batch * length, width});
  return net.dense(x, words, "scores");
}

int main() {
  GraphBuilder graph("transformer");
  for (bool trains : {true, false}) {
    int64_t batch = trains ? 50 : 200;
    Scope net = graph.entry(trains ? "train" : "eval", trains);
    auto columns = net.input(trains ? sequences(0, 2000, batch, true)
                                    : sequences(2000, 2200, batch, false));
    mlir::Value scores = logits(net, columns[0], batch);
    mlir::Value truth = net.reshape(columns[1], {batch * length});
    mlir::Value loss = net.crossEntropy(scores, truth, "loss");
    if (trains)
      net.minimize(loss, net.adam(0.003));
    net.output("loss", loss);
  }
  auto text = graph.print();
  if (failed(text))
    return 1;
  std::cout << *text;
}
