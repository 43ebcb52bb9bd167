// Ten Adam steps of a convnet and of a transformer against PyTorch's gradients
// and TensorFlow's update (parity/make_parity.py).
#include "runtime/input/Npy.h"
#include "runtime/server/Session.h"
#include "tests/ops/Evaluator.h"
#include "tools/dtc/Compiler.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace dtc;
using namespace dtc::ops;
namespace fs = std::filesystem;

namespace {
/// Of a large variable the goldens keep every 37th element.
constexpr size_t stride = 37, large = 2000;

/// first.txt: how the script made a variable's first value.
struct First {
  double base = 0, seed = 0, scale = 0;
  double at(size_t index) const {
    return base + std::sin(double(index) * 0.7310585 + seed) * scale;
  }
};

class Parity {
public:
  Parity(const std::string &name, const std::string &element)
      : folder_(fs::path(DTC_OPS_FOLDER) / "parity" / name), element_(element),
        variables_(fs::temp_directory_path() / ("dtc-parity-" + name + element +
                                                std::to_string(getpid()))) {
    fs::create_directories(variables_);
  }
  ~Parity() { fs::remove_all(variables_); }

  /// Trains ten steps and compares loss and variables.
  void expectWithin(const std::string &target, double tolerance) {
    Plan::Ptr plan = compile(target);
    ASSERT_TRUE(plan);
    saveFirst(*plan);
    RunOptions options;
    options.steps = 10;
    options.threads = 2;
    options.loadDirectory = variables_;
    options.keepVariables = true;
    for (const proto::Feed &feed : plan->proto().entries(0).feeds())
      options.feeds[feed.name()] =
          read("feed." + feed.name(), *TensorType::create(feed.type()));
    auto summary = runInProcess(plan, options);
    ASSERT_TRUE(summary.isOk()) << summary.status().message();
    auto losses = readNpy(folder_ / "losses.npy");
    ASSERT_TRUE(losses.isOk());
    Tensor all{losses->type, losses->shape, losses->bytes};
    expectNear(summary->metrics["loss"], at(all, 9), tolerance, "loss");
    for (const auto &[name, first] : firsts())
      expectVariable(name, summary->variables[name], tolerance);
  }

private:
  Plan::Ptr compile(const std::string &target) {
    std::stringstream stream;
    stream << std::ifstream(folder_ / "graph.mlir").rdbuf();
    std::string text = stream.str();
    for (size_t at = 0; (at = text.find("f64", at)) != std::string::npos;
         at += element_.size())
      text.replace(at, 3, element_);
    tool::Compiler compiler;
    tool::CompileOptions options;
    options.targets = {target};
    auto module = compiler.parse(text, folder_ / "graph.mlir");
    if (failed(module) || failed(compiler.lower(**module, tool::firstPhase,
                                                tool::lastPhase, options)))
      return nullptr;
    auto plan = compiler.finish(**module, "", "parity");
    return succeeded(plan) ? *plan : nullptr;
  }

  std::map<std::string, First> firsts() const {
    std::map<std::string, First> result;
    std::ifstream file(folder_ / "first.txt");
    std::string name;
    First first;
    while (file >> name >> first.base >> first.seed >> first.scale)
      result[name] = first;
    return result;
  }

  /// One .npy a variable; what the script does not know (slots) starts at 0.
  void saveFirst(const Plan &plan) {
    std::map<std::string, First> known = firsts();
    for (const proto::Variable &variable : plan.proto().variables()) {
      TensorType type = *TensorType::create(variable.type());
      Tensor tensor{type.element, type.shape,
                    std::vector<std::byte>(type.bytes)};
      if (auto found = known.find(variable.name()); found != known.end())
        for (size_t i = 0; i < countOf(tensor); ++i)
          setAt(tensor, i, found->second.at(i));
      ASSERT_TRUE(writeNpy(variables_ / (variable.name() + ".npy"),
                           tensor.element, tensor.shape, tensor.bytes)
                      .isOk());
    }
  }

  Tensor read(const std::string &name, const TensorType &type) {
    auto array = readNpy(folder_ / (name + ".npy"));
    EXPECT_TRUE(array.isOk()) << array.status().message();
    Tensor from{array->type, array->shape, array->bytes};
    Tensor to{type.element, type.shape, std::vector<std::byte>(type.bytes)};
    for (size_t i = 0; i < countOf(to); ++i)
      setAt(to, i, at(from, i));
    return to;
  }

  static void expectNear(double actual, double expected, double tolerance,
                         const std::string &what) {
    EXPECT_LE(std::abs(actual - expected), tolerance * std::abs(expected))
        << what << " is " << actual << ", not " << expected;
  }

  /// Relative to the variable's largest element.
  void expectVariable(const std::string &name, const Tensor &actual,
                      double tolerance) {
    auto array = readNpy(folder_ / ("after." + name + ".npy"));
    ASSERT_TRUE(array.isOk()) << array.status().message();
    Tensor expected{array->type, array->shape, array->bytes};
    double largest = 0, worst = 0;
    size_t step = countOf(actual) > large ? stride : 1;
    ASSERT_EQ((countOf(actual) + step - 1) / step, countOf(expected)) << name;
    for (size_t i = 0; i < countOf(expected); ++i) {
      largest = std::max(largest, std::abs(at(expected, i)));
      worst = std::max(worst, std::abs(at(actual, i * step) - at(expected, i)));
    }
    EXPECT_LE(worst, tolerance * largest) << name;
    testing::Test::RecordProperty(name, std::to_string(worst / largest));
  }

  fs::path folder_;
  std::string element_;
  fs::path variables_;
};
} // namespace

TEST(Parity, LenetOnReferenceKernels) {
  Parity("lenet", "f64").expectWithin("reference", 1e-9);
}
TEST(Parity, LenetGenerated) {
  Parity("lenet", "f32").expectWithin("host", 1e-4);
}
TEST(Parity, TransformerOnReferenceKernels) {
  Parity("transformer", "f64").expectWithin("reference", 1e-9);
}
TEST(Parity, TransformerGenerated) {
  Parity("transformer", "f32").expectWithin("host", 1e-4);
}
