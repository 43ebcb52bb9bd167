// How much a user will like an item: two tables of embeddings and a bias each.
// A step touches the rows of its batch only; the gradients stay sparse. Prints
// recommender.mlir:
//
//   build/release/bin/recommender_model > examples/recommender/recommender.mlir
#include "dialects/graph/GraphBuilder.h"
#include <iostream>

using namespace dtc::graph;

constexpr int64_t users = 200, items = 100, width = 8;

/// Rows of ratings.csv.gz: user, item, rating from 1 to 5.
static Dataset ratings(int64_t first, int64_t end, int64_t batch,
                       bool shuffle) {
  return {.name = "ratings",
          .path = "examples/recommender/ratings.csv.gz",
          .firstRow = first,
          .endRow = end,
          .batch = batch,
          .shuffle = shuffle,
          .columns = {{"user", {}, 0, 1, 1, 0, users - 1, "i64"},
                      {"item", {}, 1, 2, 1, 0, items - 1, "i64"},
                      {"rating", {1}, 2, 3, 1, 1, 5}}};
}

/// 3 + user bias + item bias + user · item, for each row: [batch, 1].
static mlir::Value predict(Scope &net, mlir::Value user, mlir::Value item) {
  mlir::Value tastes =
      net.make<MulOp>("tastes", net.embedding(user, users, width, "users"),
                      net.embedding(item, items, width, "items"));
  mlir::Value match = net.make<ReduceSumOp>(
      "match", tastes, llvm::ArrayRef<int64_t>(1), /*keep_dims=*/true);
  match = net.add(match, net.embedding(user, users, 1, "user_bias"));
  match = net.add(match, net.embedding(item, items, 1, "item_bias"));
  return net.add(match, net.constant(3, "middle"));
}

int main() {
  GraphBuilder graph("recommender");
  for (bool trains : {true, false}) {
    Scope net = graph.entry(trains ? "train" : "eval", trains);
    auto columns = net.input(trains ? ratings(0, 5000, 50, true)
                                    : ratings(5000, 6000, 1000, false));
    mlir::Value guess = predict(net, columns[0], columns[1]);
    mlir::Value error = net.make<SubOp>("error", guess, columns[2]);
    mlir::Value squared = net.make<SquareOp>("squared", error);
    mlir::Value loss = net.make<ReduceMeanOp>(
        "loss", squared, llvm::ArrayRef<int64_t>({0, 1}), /*keep_dims=*/false);
    if (trains)
      net.minimize(loss, net.adagrad(0.3));
    net.output("loss", loss);
  }
  auto text = graph.print();
  if (failed(text))
    return 1;
  std::cout << *text;
}
