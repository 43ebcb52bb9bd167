// A model in code is the model in a file.
#include "dialects/graph/GraphBuilder.h"

#include "dialects/graph/GraphFile.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace dtc::graph;
using testing::HasSubstr;
using testing::Not;

// What a builder printed is read again and printed the same.
static void expectRoundTrip(GraphBuilder &graph) {
  FailureOr<std::string> text = graph.print();
  ASSERT_TRUE(succeeded(text));
  OwningOpRef<ModuleOp> module =
      parseGraph(*text, "printed.mlir", graph.context());
  ASSERT_TRUE(module) << *text;
  EXPECT_EQ(printGraph(*module), *text);
}

static const Dataset images = {
    .name = "images",
    .path = "images.csv",
    .firstRow = 0,
    .endRow = 64,
    .batch = 4,
    .shuffle = true,
    .columns = {{"image", {8, 8, 1}, 0, 64, 1, 0, 1},
                {"label", {}, 64, 65, 1, 0, 9, "i64"}}};

TEST(GraphBuilder, SharesVariablesBetweenEntries) {
  GraphBuilder graph("net");
  for (bool trains : {true, false}) {
    Scope net = graph.entry(trains ? "train" : "eval", trains);
    auto columns = net.input(images);
    Value h = net.relu(net.conv2d(columns[0], 2, {3, 3}, "conv1"));
    h = net.batchNorm(net.maxPool(h, 2, 2), "norm1");
    h = net.dropout(net.flatten(h), 0.5, "drop1");
    Value logits = net.dense(h, 10, "fc");
    Value loss = net.crossEntropy(logits, columns[1], "loss");
    if (trains)
      net.minimize(loss, net.momentum(0.1, 0.9));
    net.output("loss", loss);
  }
  std::string text = *graph.print();
  EXPECT_EQ(text.find("graph.variable @\"conv1/filter\""),
            text.rfind("graph.variable @\"conv1/filter\""));
  EXPECT_THAT(text, HasSubstr("%conv1.filter = graph.read @\"conv1/filter\""));
  EXPECT_THAT(text, HasSubstr("%norm1, %norm1.mean, %norm1.unbiased"));
  EXPECT_THAT(text, HasSubstr("graph.assign @\"norm1/moving_mean\""));
  EXPECT_THAT(text, HasSubstr("%norm1 = graph.batch_norm_inference"));
  expectRoundTrip(graph);
}

TEST(GraphBuilder, WritesABlockOnce) {
  GraphBuilder graph("blocks", "f64");
  Scope block = graph.block("block", {{"x", {2, 4, 8}, "f64"}});
  Value x = block.feed(0);
  x = block.add(x, block.attention(block.layerNorm(x, "norm"), 2, "attention"));
  block.returns({x});
  Scope net = graph.entry("predict", false, {{"ids", {2, 4}, "i64"}});
  Value h = net.embedding(net.feed(0), 16, 8, "words");
  h = net.call(block, {h}, "first").front();
  h = net.call(block, {h}, "second").front();
  net.output("y", net.gelu(h));
  std::string text = *graph.print();
  EXPECT_THAT(text, HasSubstr("graph.func private @block(%x: "));
  EXPECT_THAT(text, HasSubstr("%second = graph.call @block(%first)"));
  expectRoundTrip(graph);
}

// Diagnostics lead to the line of the program that made the layer.
TEST(GraphBuilder, PlacesLayers) {
  GraphBuilder graph("places");
  Scope net = graph.entry("predict", false, {{"x", {2, 4}}});
  unsigned line = __LINE__ + 1;
  Value y = net.dense(net.feed(0), 3, "fc");
  EXPECT_THAT(fileLocation(y.getLoc()),
              HasSubstr("GraphBuilderTest.cpp:" + std::to_string(line)));
}

TEST(GraphBuilder, RefusesTwoShapesOfOneVariable) {
  GraphBuilder graph("shapes");
  Scope net = graph.entry("predict", false, {{"x", {2, 4}}});
  net.dense(net.feed(0), 3, "fc");
  EXPECT_DEATH(net.dense(net.feed(0), 5, "fc"),
               "fc/w is used under two shapes");
}
