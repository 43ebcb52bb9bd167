#include "passes/kernel/Fusion.h"

#include "dialects/graph/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace dtc::kernel;

namespace {
/// The ops of a function's body.
class Ops {
public:
  explicit Ops(const std::string &body) {
    context_.loadDialect<dtc::graph::GraphDialect, mlir::func::FuncDialect>();
    module_ = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @k(%x: tensor<4x6xf32>, %b: tensor<6xf32>, "
        "%l: tensor<4xi64>) {\n" +
            body + "\n return\n}",
        &context_);
  }
  mlir::Operation *operator[](unsigned position) {
    auto function = *module_->getOps<mlir::func::FuncOp>().begin();
    return &*std::next(function.getBody().front().begin(), position);
  }

private:
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

/// Whether op `consumer` of the body may join op `producer`, by position.
bool fuses(const std::string &body, unsigned producer, unsigned consumer) {
  Ops ops(body);
  return canFuse(ops[producer], ops[consumer]);
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

// It writes its result block by block.
TEST(Fusion, NothingFusesBehindAMove) {
  EXPECT_FALSE(fuses("%0 = graph.transpose %x perm [1, 0] : tensor<4x6xf32>\n"
                     "%1 = graph.neg %0 : tensor<6x4xf32>",
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

// Its boxes multiply: 3 for each dimension that is padded on both sides.
TEST(Fusion, ManyBoxesStayWithTheReferenceKernel) {
  auto isPadGenerated = [](const std::string &padding) {
    Ops ops("%0 = graph.constant dense<1.0> : tensor<2x2x2x2x2x2xf32>\n"
            "%1 = graph.pad %0 before [" +
            padding + "] after [" + padding +
            "] reflect : tensor<2x2x2x2x2x2xf32>");
    return isGenerated(ops[1]);
  };
  EXPECT_TRUE(isPadGenerated("1, 1, 1, 1, 1, 0"));
  EXPECT_FALSE(isPadGenerated("1, 1, 1, 1, 1, 1"));
}

// Its verifier has seen that its numbers are finite.
TEST(Fusion, RangesAreGenerated) {
  EXPECT_TRUE(
      isGenerated(Ops("%0 = graph.range from 0.0 by 0.5 : tensor<4xf32>")[0]));
}
