// What an op costs, checked against the arithmetic of its definition.
#include "dialects/graph/Cost.h"
#include "dialects/graph/GraphFile.h"
#include "dialects/graph/Ops.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace dtc::graph {
namespace {

/// The cost of the last op before the terminator of a function's `body`.
OpCost costIn(const std::string &arguments, const std::string &body) {
  MLIRContext context;
  context.loadDialect<GraphDialect>();
  auto module = parseGraph("module @m { graph.func @f(" + arguments + ") {\n" +
                               body + "\n} }",
                           "cost.mlir", &context);
  EXPECT_TRUE(bool(module)) << body;
  OpCost cost;
  if (module)
    module->walk(
        [&](FuncOp func) { cost = costOf(&func.getBody().front().back()); });
  return cost;
}

TEST(Cost, ProductsCountTheirInnerDimension) {
  OpCost cost = costIn("%a: tensor<32x64xf32>, %b: tensor<64x10xf32>",
                       "%c = graph.matmul %a, %b : tensor<32x64xf32>, "
                       "tensor<64x10xf32>");
  EXPECT_EQ(cost.multiplyAdds, 32 * 10 * 64);
  EXPECT_EQ(cost.flops(), 2 * 32 * 10 * 64);
  EXPECT_EQ(cost.bytesRead, 4 * (32 * 64 + 64 * 10));
  EXPECT_EQ(cost.bytesWritten, 4 * 32 * 10);
}

TEST(Cost, TransposedProductsToo) {
  OpCost cost = costIn("%a: tensor<32x64xf32>, %b: tensor<32x10xf32>",
                       "%c = graph.matmul %a, %b transpose_a : "
                       "tensor<32x64xf32>, tensor<32x10xf32>");
  EXPECT_EQ(cost.multiplyAdds, 64 * 10 * 32);
}

TEST(Cost, ConvolutionsMeetAFilterForEachResult) {
  OpCost cost = costIn(
      "%x: tensor<8x28x28x3xf32>, %f: tensor<5x5x3x16xf32>",
      "%y = graph.conv2d %x, %f strides [2, 2] padding \"SAME\" dilations [1, "
      "1] : tensor<8x28x28x3xf32>, tensor<5x5x3x16xf32>");
  EXPECT_EQ(cost.multiplyAdds, 8 * 14 * 14 * 16 * 5 * 5 * 3);
}

TEST(Cost, ReductionsReadAllAndWriteLittle) {
  OpCost cost =
      costIn("%x: tensor<100x10xf32>", "%s = graph.reduce_sum %x axes [0] : "
                                       "tensor<100x10xf32>");
  EXPECT_EQ(cost.operations, 1000);
  EXPECT_EQ(cost.bytesWritten, 40);
}

TEST(Cost, SpecialFunctionsAreCountedApart) {
  OpCost cost =
      costIn("%x: tensor<100xf32>", "%y = graph.exp %x : tensor<100xf32>");
  EXPECT_EQ(cost.specials, 100);
  EXPECT_EQ(cost.operations, 0);
  OpCost add =
      costIn("%x: tensor<100xf32>", "%y = graph.add %x, %x : tensor<100xf32>, "
                                    "tensor<100xf32>");
  EXPECT_EQ(add.specials, 0);
  EXPECT_EQ(add.operations, 100);
  EXPECT_GT(secondsOf(cost, {}), secondsOf(add, {}));
}

TEST(Cost, GathersReadTheRowsThatTheyAreAskedFor) {
  OpCost cost = costIn("%t: tensor<1000x8xf32>, %i: tensor<5xi64>",
                       "%r = graph.gather %t, %i axis 0 : "
                       "tensor<1000x8xf32>, tensor<5xi64>");
  EXPECT_EQ(cost.bytesWritten, 5 * 8 * 4);
  EXPECT_EQ(cost.bytesRead, 5 * 8 * 4 + 5 * 8);
}

TEST(Cost, ViewsCostNothing) {
  OpCost cost = costIn("%x: tensor<4x4xf32>",
                       "%y = graph.reshape %x : tensor<4x4xf32> to "
                       "tensor<16xf32>");
  EXPECT_EQ(cost.flops(), 0);
  EXPECT_EQ(cost.bytes(), 0);
}

TEST(Cost, TheLongerOfArithmeticAndMemoryCounts) {
  Rates rates{.operationsPerSecond = 10, .bytesPerSecond = 100};
  EXPECT_EQ(secondsOf(OpCost{.operations = 20, .bytesRead = 100}, rates), 2);
  EXPECT_EQ(secondsOf(OpCost{.operations = 20, .bytesRead = 500}, rates), 5);
}

} // namespace
} // namespace dtc::graph
