#include "passes/kernel/Fusion.h"

#include "dialects/graph/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace dtc::kernel;

namespace {
/// Whether op `consumer` of the body may join op `producer`, by position.
bool fuses(const std::string &body, unsigned producer, unsigned consumer) {
  mlir::MLIRContext context;
  context.loadDialect<dtc::graph::GraphDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @k(%x: tensor<4x6xf32>, %b: tensor<6xf32>, %l: tensor<4xi64>) "
      "{\n" +
          body + "\n return\n}",
      &context);
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  auto ops = function.getBody().front().begin();
  return canFuse(&*std::next(ops, producer), &*std::next(ops, consumer));
}
} // namespace

TEST(Fusion, ElementwiseOpsOfOneShapeFuse) {
  EXPECT_TRUE(fuses("%0 = graph.relu %x : tensor<4x6xf32>\n"
                    "%1 = graph.neg %0 : tensor<4x6xf32>",
                    0, 1));
}

TEST(Fusion, RootsTakeAnEpilogue) {
  EXPECT_TRUE(fuses("%0 = graph.softmax %x : tensor<4x6xf32>\n"
                    "%1 = graph.neg %0 : tensor<4x6xf32>",
                    0, 1));
}

// A root reads its operands in its own order.
TEST(Fusion, NothingFusesIntoARoot) {
  EXPECT_FALSE(fuses("%0 = graph.relu %x : tensor<4x6xf32>\n"
                     "%1 = graph.reduce_sum %0 axes [0] : tensor<4x6xf32>",
                     0, 1));
}

// The consumer would repeat what the producer computed.
TEST(Fusion, BroadcastResultsDoNotFuse) {
  EXPECT_FALSE(fuses("%0 = graph.relu %b : tensor<6xf32>\n"
                     "%1 = graph.add %x, %0 : tensor<4x6xf32>, tensor<6xf32>",
                     0, 1));
}

// A view is only a way to read, so it may be broadcast; not when others need
// it, since an output has the kernel's shape.
TEST(Fusion, ViewsOfOneUserFuse) {
  std::string body =
      "%0 = graph.reshape %b : tensor<6xf32> to tensor<1x6xf32>\n"
      "%1 = graph.add %x, %0 : tensor<4x6xf32>, tensor<1x6xf32>\n";
  EXPECT_TRUE(fuses(body, 0, 1));
  EXPECT_FALSE(fuses(body + "%2 = graph.neg %0 : tensor<1x6xf32>", 0, 1));
  EXPECT_TRUE(fuses("%0 = graph.one_hot %l depth 6 as f32 : tensor<4xi64>\n"
                    "%1 = graph.sub %x, %0 : tensor<4x6xf32>, tensor<4x6xf32>",
                    0, 1));
}
