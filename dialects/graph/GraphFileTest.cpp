// Graph files keep what a person wrote: names of values, places of mistakes.
#include "dialects/graph/GraphFile.h"

#include "dialects/graph/Ops.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace dtc::graph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class GraphFileTest : public ::testing::Test {
protected:
  GraphFileTest()
      : handler_(&context_, [this](Diagnostic &diagnostic) {
          message_ += fileLocation(diagnostic.getLocation()) + ": " +
                      diagnostic.str() + "\n";
          return success();
        }) {
    context_.loadDialect<GraphDialect>();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseGraph(text, "folder/test.mlir", &context_);
  }

  // The names of all values, in the order of the text.
  static std::vector<std::string> namesIn(ModuleOp module) {
    std::vector<std::string> names;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        names.push_back(nameOf(result));
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          names.push_back(nameOf(argument));
    });
    return names;
  }

  MLIRContext context_;
  std::string message_;
  ScopedDiagnosticHandler handler_;
};

TEST_F(GraphFileTest, KeepsNamesThroughText) {
  auto module = parse(R"(
    graph.func @f(%x: tensor<f32>, %0: tensor<f32>) {
      %h.grad = graph.exp %x : tensor<f32>
      %1 = graph.exp %h.grad : tensor<f32>
      %rate = graph.constant dense<0.1> : tensor<f32>
      %var, %slot = graph.apply_momentum %x, %0, %1 learning_rate %rate momentum 0.9 : tensor<f32>
      %pair:2 = graph.apply_momentum %x, %0, %1 learning_rate %rate momentum 0.9 : tensor<f32>
    })");
  ASSERT_TRUE(module) << message_;
  auto expected = ElementsAre("x", "argument_0", "h.grad", "exp_0", "rate",
                              "var", "slot", "pair.0", "pair.1");
  EXPECT_THAT(namesIn(*module), expected);
  auto again = parse(printGraph(*module));
  ASSERT_TRUE(again) << message_;
  EXPECT_THAT(namesIn(*again), expected);
  EXPECT_EQ(printGraph(*again), printGraph(*module));
}

TEST_F(GraphFileTest, NamesDoNotHideThePlaceInTheFile) {
  auto module = parse("graph.func @f(%x: tensor<f32>) {\n"
                      "  %y = graph.exp %x : tensor<f32>\n"
                      "}");
  ASSERT_TRUE(module);
  Operation &exp = *(*module->getOps<FuncOp>().begin()).getBody().op_begin();
  EXPECT_EQ(nameOf(&exp), "y");
  EXPECT_EQ(fileLocation(exp.getLoc()), "test.mlir:2:8");
  setName(&exp, "z");
  EXPECT_EQ(nameOf(exp.getResult(0)), "z");
  EXPECT_EQ(fileLocation(exp.getLoc()), "test.mlir:2:8");
}

TEST_F(GraphFileTest, OpsWithoutResultsAreNamedAfterTheirObject) {
  auto module = parse(R"(
    graph.variable @w : tensor<f32> = #graph.fill<0.0>
    graph.func @f(%x: tensor<f32>) {
      graph.assign @w, %x : tensor<f32>
      graph.output "loss" = %x : tensor<f32>
    })");
  ASSERT_TRUE(module);
  Block &body = (*module->getOps<FuncOp>().begin()).getBody().front();
  EXPECT_EQ(nameOf(&body.front()), "w.assign");
  EXPECT_EQ(nameOf(&body.back()), "loss");
}

TEST_F(GraphFileTest, MistakesAreReportedAtTheirPlace) {
  EXPECT_FALSE(parse("graph.func @f(%x: tensor<4xf32>, %y: tensor<3xf32>) {\n"
                     "  %z = graph.add %x, %y : tensor<4xf32>, tensor<3xf32>\n"
                     "}"));
  EXPECT_THAT(message_, HasSubstr("test.mlir:2:8: add: shapes 4 and 3"));
}

TEST_F(GraphFileTest, UnknownOpIsReported) {
  EXPECT_FALSE(parse("graph.func @f(%x: tensor<4xf32>) {\n"
                     "  %z = graph.matmull %x : tensor<4xf32>\n"
                     "}"));
  EXPECT_THAT(message_, HasSubstr("test.mlir:2:8: custom op 'graph.matmull'"));
}

TEST_F(GraphFileTest, RefusesAFileThatIsTooLarge) {
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      maxFileBytes + 1, "folder/large.mlir");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  EXPECT_FALSE(parseGraph(sources, &context_));
  EXPECT_EQ(message_, "large.mlir:1:1: the file has 268435457 bytes; at most "
                      "268435456 are read\n");
}

TEST_F(GraphFileTest, RefusesADeepText) {
  EXPECT_FALSE(parse(std::string(1000000, '(')));
  EXPECT_EQ(message_,
            "test.mlir:1:257: brackets are nested more than 256 deep\n");
}

} // namespace
