// Every op: value, gradient, generated code, verify. README.md says how.
#include "passes/graph/Differentiate.h"
#include "runtime/server/Session.h"
#include "tests/ops/OpCases.h"
#include "tools/dtc/Compiler.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace mlir;
using namespace dtc;
using namespace dtc::ops;

namespace {
class Ops : public testing::TestWithParam<std::string> {};

/// The weight of element `index` in the loss of which gradients are checked.
double weightOf(size_t index) { return std::cos(1.0 + 0.7 * double(index)); }
} // namespace

TEST_P(Ops, ValuesOfTheReferenceKernels) {
  OpCases file(GetParam(), "f64");
  ASSERT_TRUE(file.module()) << file.error();
  ASSERT_TRUE(file.subject()) << "no case has graph." << GetParam();
  ASSERT_TRUE(file.expandComposites());
  for (graph::FuncOp func : file.cases()) {
    SCOPED_TRACE(func.getSymName().str());
    auto feeds = file.feeds(func), expected = file.outputs(func);
    ASSERT_TRUE(feeds.isOk()) << feeds.status().message();
    ASSERT_TRUE(expected.isOk()) << expected.status().message();
    ASSERT_FALSE(expected->empty());
    auto actual = Evaluator(func).run(*feeds);
    ASSERT_TRUE(actual.isOk()) << actual.status().message();
    for (const auto &[name, tensor] : *expected)
      EXPECT_EQ(compare((*actual)[name], tensor, 1e-12), "") << name;
  }
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {
/// The sum of all elements of float outputs, each times its weight.
double lossOf(const Tensors &outputs) {
  long double sum = 0;
  for (const auto &[name, tensor] : outputs)
    if (tensor.element == ElementType::F64)
      for (size_t i = 0; i < countOf(tensor); ++i)
        sum += static_cast<long double>(at(tensor, i)) * weightOf(i);
  return double(sum);
}

/// The same in the graph; null if no output is float.
Value buildLoss(graph::FuncOp func, OpBuilder &b) {
  Value loss;
  SmallVector<graph::OutputOp> outputs(
      func.getBody().front().getOps<graph::OutputOp>());
  for (graph::OutputOp output : outputs) {
    auto type = cast<RankedTensorType>(output.getValue().getType());
    Value value = output.getValue();
    output.erase();
    if (!type.getElementType().isF64())
      continue;
    std::vector<double> weights(type.getNumElements());
    for (size_t i = 0; i < weights.size(); ++i)
      weights[i] = weightOf(i);
    Value weight = graph::ConstantOp::create(
        b, func.getLoc(), DenseElementsAttr::get(type, ArrayRef(weights)));
    Value part = graph::MulOp::create(b, func.getLoc(), value, weight);
    SmallVector<int64_t> axes(
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    if (!axes.empty())
      part = graph::ReduceSumOp::create(b, func.getLoc(), part, axes, false);
    loss = loss ? graph::AddOp::create(b, func.getLoc(), loss, part) : part;
  }
  return loss;
}

/// Replaces the outputs by the gradients of the loss, named as the feeds.
LogicalResult buildGradients(graph::FuncOp func) {
  OpBuilder b = OpBuilder::atBlockEnd(&func.getBody().front());
  Value loss = buildLoss(func, b);
  SmallVector<Value> feeds;
  for (BlockArgument argument : func.getArguments())
    if (graph::isFloatTensor(argument.getType()))
      feeds.push_back(argument);
  if (!loss || feeds.empty())
    return success();
  auto gradients = graph::differentiate(loss, feeds, b);
  if (failed(gradients))
    return failure();
  for (auto [feed, gradient] : llvm::zip_equal(feeds, *gradients))
    if (gradient)
      graph::OutputOp::create(b, func.getLoc(), graph::nameOf(feed), gradient);
  return success();
}

/// d loss / d element by central differences, extrapolated to step 0.
double differenceOf(Evaluator &forward, Tensors feeds, const std::string &name,
                    size_t index) {
  double middle = at(feeds[name], index);
  auto slope = [&](double step) {
    setAt(feeds[name], index, middle + step);
    double above = lossOf(*forward.run(feeds));
    setAt(feeds[name], index, middle - step);
    return (above - lossOf(*forward.run(feeds))) / (2 * step);
  };
  constexpr double step = 1e-3;
  double extrapolated = (4 * slope(step / 2) - slope(step)) / 3;
  constexpr double noise = 1e-9; // of the loss
  return std::abs(extrapolated) < noise ? 0 : extrapolated;
}

void expectGradients(graph::FuncOp forward, graph::FuncOp backward,
                     const Tensors &feeds) {
  Evaluator evaluator(forward);
  ASSERT_TRUE(evaluator.run(feeds).isOk());
  auto gradients = Evaluator(backward).run(feeds);
  ASSERT_TRUE(gradients.isOk()) << gradients.status().message();
  for (const auto &[name, gradient] : *gradients) {
    Tensor expected = gradient;
    for (size_t i = 0; i < countOf(gradient); ++i)
      setAt(expected, i, differenceOf(evaluator, feeds, name, i));
    EXPECT_EQ(compare(gradient, expected, 1e-6), "") << "of " << name;
  }
}
} // namespace

TEST_P(Ops, GradientsAgainstCentralDifferences) {
  OpCases forward(GetParam(), "f64"), backward(GetParam(), "f64");
  ASSERT_TRUE(forward.module()) << forward.error();
  Operation *subject = forward.subject();
  ASSERT_TRUE(subject);
  if (!isa<graph::GradientOpInterface>(subject))
    GTEST_SKIP() << "has no gradient";
  for (graph::FuncOp func : backward.cases())
    if (!isSpecial(func)) {
      ASSERT_TRUE(succeeded(buildGradients(func))) << func.getSymName().str();
    }
  ASSERT_TRUE(forward.expandComposites() && backward.expandComposites());
  auto forwards = forward.cases(), backwards = backward.cases();
  for (size_t i = 0; i < forwards.size(); ++i) {
    if (isSpecial(forwards[i]))
      continue;
    SCOPED_TRACE(forwards[i].getSymName().str());
    auto feeds = forward.feeds(forwards[i]);
    ASSERT_TRUE(feeds.isOk()) << feeds.status().message();
    expectGradients(forwards[i], backwards[i], *feeds);
  }
}

namespace {
/// Ops that have no gradient where one would be asked for.
bool hasDeadEnd(graph::FuncOp func) {
  return llvm::any_of(func.getBody().front(), [](Operation &op) {
    return op.getNumResults() && !op.hasTrait<graph::StopsGradient>() &&
           !isa<graph::GradientOpInterface>(op);
  });
}
} // namespace

TEST_P(Ops, GradientsOfGradients) {
  OpCases once(GetParam(), "f64"), twice(GetParam(), "f64");
  ASSERT_TRUE(once.module()) << once.error();
  if (!isa<graph::GradientOpInterface>(once.subject()))
    GTEST_SKIP() << "has no gradient";
  auto firsts = once.cases(), seconds = twice.cases();
  for (size_t i = 0; i < firsts.size(); ++i) {
    if (isSpecial(firsts[i]))
      continue;
    ASSERT_TRUE(succeeded(buildGradients(firsts[i])) &&
                succeeded(buildGradients(seconds[i])));
    if (hasDeadEnd(firsts[i]))
      GTEST_SKIP() << "its gradient has no gradient";
    ASSERT_TRUE(succeeded(buildGradients(seconds[i])));
  }
  ASSERT_TRUE(once.expandComposites() && twice.expandComposites());
  for (size_t i = 0; i < firsts.size(); ++i)
    if (!isSpecial(firsts[i])) {
      SCOPED_TRACE(firsts[i].getSymName().str());
      auto feeds = once.feeds(firsts[i]);
      ASSERT_TRUE(feeds.isOk()) << feeds.status().message();
      expectGradients(firsts[i], seconds[i], *feeds);
    }
}

//===----------------------------------------------------------------------===//
// Generated code
//===----------------------------------------------------------------------===//

namespace {
Plan::Ptr compilePlan(const std::string &text, const std::string &name) {
  tool::Compiler compiler;
  auto module = compiler.parse(text, name);
  if (failed(module) ||
      failed(compiler.lower(**module, tool::firstPhase, tool::lastPhase, {})))
    return nullptr;
  auto plan = compiler.finish(**module, "", name);
  return succeeded(plan) ? *plan : nullptr;
}

void expectGenerated(const std::string &op, const std::string &element,
                     double tolerance) {
  OpCases file(op, element);
  ASSERT_TRUE(file.module()) << file.error();
  Plan::Ptr plan = compilePlan(file.text(), op + ".mlir");
  ASSERT_TRUE(plan) << "does not compile";
  for (graph::FuncOp func : file.cases()) {
    SCOPED_TRACE(func.getSymName().str() + " of " + element);
    auto feeds = file.feeds(func), expected = file.outputs(func);
    ASSERT_TRUE(feeds.isOk() && expected.isOk());
    RunOptions options;
    options.entry = func.getSymName().str();
    options.steps = 1;
    options.threads = 2;
    options.feeds = *feeds;
    auto summary = runInProcess(plan, options);
    ASSERT_TRUE(summary.isOk()) << summary.status().message();
    for (const auto &[name, tensor] : *expected)
      EXPECT_EQ(compare(summary->fetches[name], tensor, tolerance), "") << name;
  }
}
} // namespace

TEST_P(Ops, GeneratedCode) {
  expectGenerated(GetParam(), "f64", 1e-12);
  expectGenerated(GetParam(), "f32", 2e-5);
}

TEST_P(Ops, VerifyAgrees) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() /
                    ("dtc-ops-" + GetParam() + "-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::string graph = folder / "g.mlir", plan = folder / "g.plan",
              program = DTC_PROGRAM;
  std::ofstream(graph) << OpCases(GetParam(), "f32").text();
  auto run = [&](const std::string &arguments) {
    return std::system((program + " " + arguments + " >/dev/null").c_str());
  };
  EXPECT_EQ(run("compile " + graph + " -o " + plan), 0);
  EXPECT_EQ(run("verify --kernels " + plan), 0);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, Ops, testing::ValuesIn(opsWithCases()),
                         [](const auto &info) { return info.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Ops);
