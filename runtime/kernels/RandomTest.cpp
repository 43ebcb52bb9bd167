// The random ops: what they are a function of, and how they are distributed.
#include "runtime/kernels/ReferenceKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace dtc;
using testing::HasSubstr;

namespace {
struct Drawn {
  std::string op = "graph.random_uniform";
  int64_t seed = 7, step = 0, replica = -1, count = 20000;
  std::string stream = "noise";
  double low = 0, high = 1;

  std::vector<double> operator()() {
    std::vector<double> values(count);
    auto *counts = reinterpret_cast<std::byte *>(&step);
    std::vector<TensorRef> operands{{ElementType::I64, {}, counts}};
    counts = reinterpret_cast<std::byte *>(&replica);
    if (replica >= 0)
      operands.push_back({ElementType::I64, {}, counts});
    std::vector<TensorRef> results{
        {ElementType::F64,
         {count},
         reinterpret_cast<std::byte *>(values.data())}};
    Status status = runReferenceKernel(
        op, operands, results,
        {{"seed", seed}, {"stream", stream}, {"low", low}, {"high", high}});
    EXPECT_TRUE(status.isOk()) << status.message();
    return values;
  }
};

/// The largest distance between the sample's distribution and `expected`,
/// times the root of its size: below 1.63 for 99 of 100 samples.
double kolmogorovSmirnov(std::vector<double> values, auto expected) {
  std::sort(values.begin(), values.end());
  double most = 0, count = double(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    double below = expected(values[i]);
    most = std::max({most, below - i / count, (i + 1) / count - below});
  }
  return most * std::sqrt(count);
}

double meanOf(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / double(values.size());
}

double varianceOf(const std::vector<double> &values) {
  double mean = meanOf(values), sum = 0;
  for (double value : values)
    sum += (value - mean) * (value - mean);
  return sum / double(values.size());
}

double normalBelow(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
} // namespace

TEST(Random, UniformFillsItsRange) {
  std::vector<double> values = Drawn{.low = -1, .high = 3}();
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -1);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 3);
  EXPECT_NEAR(meanOf(values), 1, 0.03);
  EXPECT_NEAR(varianceOf(values), 16.0 / 12, 0.03);
  EXPECT_LT(kolmogorovSmirnov(values, [](double x) { return (x + 1) / 4; }),
            1.63);
}

TEST(Random, NormalHasMeanAndDeviation) {
  std::vector<double> values =
      Drawn{.op = "graph.random_normal", .low = 2, .high = 3}();
  EXPECT_NEAR(meanOf(values), 2, 0.08);
  EXPECT_NEAR(varianceOf(values), 9, 0.3);
  auto below = [](double x) { return normalBelow((x - 2) / 3); };
  EXPECT_LT(kolmogorovSmirnov(values, below), 1.63);
}

TEST(Random, TruncatedNormalStaysWithinTwoDeviations) {
  std::vector<double> values = Drawn{.op = "graph.random_truncated_normal"}();
  for (double value : values)
    ASSERT_LE(std::abs(value), 2);
  double tail = normalBelow(-2);
  auto below = [&](double x) {
    return (normalBelow(x) - tail) / (1 - 2 * tail);
  };
  EXPECT_LT(kolmogorovSmirnov(values, below), 1.63);
}

// Made by tests/ops/goldens_training.py; a step of more than 32 bits.
TEST(Random, GivesTheGoldenNumbers) {
  const int64_t step = (int64_t(1) << 33) + 5;
  std::vector<double> values;
  values = Drawn{.op = "graph.random_uniform",
                 .step = step,
                 .count = 2,
                 .low = -1,
                 .high = 2}();
  EXPECT_NEAR(values[0], -0.2369105386976793, 1e-14);
  EXPECT_NEAR(values[1], 1.1178200627192685, 1e-14);
  values = Drawn{.op = "graph.random_normal",
                 .step = step,
                 .count = 2,
                 .low = 1,
                 .high = 2}();
  EXPECT_NEAR(values[0], -0.3216445140096631, 1e-14);
  EXPECT_NEAR(values[1], 2.0831249213243783, 1e-14);
  values = Drawn{.op = "graph.random_truncated_normal",
                 .step = step,
                 .count = 2,
                 .low = 1,
                 .high = 2}();
  EXPECT_NEAR(values[0], -0.2527183213383213, 1e-14);
  EXPECT_NEAR(values[1], 2.029119753933463, 1e-14);
}

TEST(Random, DependsOnSeedStreamAndStep) {
  std::vector<double> first = Drawn{}();
  EXPECT_EQ(Drawn{}(), first);
  EXPECT_NE(Drawn{.seed = 8}(), first);
  EXPECT_NE(Drawn{.stream = "other"}(), first);
  EXPECT_NE(Drawn{.step = 1}(), first);
}

// Replica r's elements stand behind those of replica r - 1, so that two
// replicas draw what one with twice the elements draws.
TEST(Random, ReplicasContinueOneAnother) {
  std::vector<double> all = Drawn{.count = 20}();
  std::vector<double> first = Drawn{.replica = 0, .count = 10}(),
                      second = Drawn{.replica = 1, .count = 10}();
  first.insert(first.end(), second.begin(), second.end());
  EXPECT_EQ(first, all);
}

TEST(Random, RefusesWhatIsNoCount) {
  double step = 0, value = 0;
  std::vector<TensorRef> operands{
      {ElementType::F64, {}, reinterpret_cast<std::byte *>(&step)}};
  std::vector<TensorRef> results{
      {ElementType::F64, {1}, reinterpret_cast<std::byte *>(&value)}};
  Status status =
      runReferenceKernel("graph.random_uniform", operands, results, {});
  EXPECT_THAT(std::string(status.message()), HasSubstr("i64"));
}
