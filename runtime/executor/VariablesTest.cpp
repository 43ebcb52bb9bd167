#include "runtime/executor/Variables.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "runtime/device/host/HostDevice.h"
#include "runtime/plan/Plan.h"
#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;

HostDevice device;

Plan::Ptr planOf(proto::Plan plan) {
  return Plan::create(contentsOf(std::move(plan)), "p").take();
}

std::vector<float> floats(std::span<std::byte> bytes) {
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// The first value of a one-variable plan with the initializer.
std::vector<float> initial(const std::function<void(proto::Initializer &)> &how,
                           int64_t elements, uint64_t seed = 1) {
  proto::Plan plan = localPlan();
  plan.clear_entries();
  plan.mutable_variables(0)->mutable_type()->set_shape(0, elements);
  how(*plan.mutable_variables(0)->mutable_initializer());
  auto variables = Variables::create(planOf(plan), {"local", 0}, device).take();
  variables->initialize(seed);
  return floats(variables->bytes(0));
}

void uniform(proto::Initializer &i) {
  i.mutable_uniform()->set_low(-2);
  i.mutable_uniform()->set_high(4);
}

TEST(Variables, HoldsWhatLivesHereOnly) {
  auto plan = planOf(clusterPlan(2, 2));
  auto variables = Variables::create(plan, {"ps", 1}, device).take();
  EXPECT_FALSE(variables->holds(0));
  EXPECT_TRUE(variables->holds(1));
  EXPECT_FALSE(variables->holds(9));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(variables->bytes(1).data()) % 64, 0u);
}

// The same values wherever the variable is placed, others for another seed.
TEST(Variables, FirstValuesDependOnSeedAndNameOnly) {
  auto one = planOf(clusterPlan(1, 2)), two = planOf(clusterPlan(2, 3));
  auto a = Variables::create(one, {"ps", 0}, device).take();
  auto b = Variables::create(two, {"ps", 1}, device).take();
  auto c = Variables::create(two, {"ps", 1}, device).take();
  a->initialize(7);
  b->initialize(7);
  c->initialize(8);
  EXPECT_EQ(floats(a->bytes(1)), floats(b->bytes(1)));
  EXPECT_NE(floats(a->bytes(1)), floats(c->bytes(1)));
  EXPECT_NE(floats(a->bytes(0)), floats(a->bytes(1)));
}

// These values are a promise: a release that changes them changes every run.
TEST(Variables, FirstValuesNeverChangeBetweenReleases) {
  auto values = initial(uniform, 2, 42);
  EXPECT_FLOAT_EQ(values[0], -1.25737604f);
  EXPECT_FLOAT_EQ(values[1], 2.93910856f);
}

TEST(Variables, InitializationNeverTouchesWhatHasAValue) {
  auto variables =
      Variables::create(planOf(localPlan()), {"local", 0}, device).take();
  std::vector<float> mine = {1, 2, 3, 4};
  EXPECT_FALSE(variables->isInitialized(0));
  ASSERT_TRUE(variables->set(0, std::as_bytes(std::span(mine))).isOk());
  variables->initialize(1);
  auto first = floats(variables->bytes(1));
  variables->initialize(2);
  EXPECT_EQ(floats(variables->bytes(0)), mine);
  EXPECT_EQ(floats(variables->bytes(1)), first);
}

TEST(Variables, UniformFillsItsRange) {
  auto values = initial(uniform, 20000);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, -2);
  EXPECT_LT(*low, -1.99);
  EXPECT_LE(*high, 4);
  EXPECT_GT(*high, 3.99);
}

TEST(Variables, NormalHasItsMeanAndDeviation) {
  auto values = initial(
      [](auto &i) {
        i.mutable_normal()->set_mean(3);
        i.mutable_normal()->set_stddev(2);
      },
      40000);
  double sum = 0, squares = 0;
  for (float value : values) {
    sum += value;
    squares += (value - 3) * (value - 3);
  }
  EXPECT_NEAR(sum / values.size(), 3, 0.05);
  EXPECT_NEAR(std::sqrt(squares / values.size()), 2, 0.05);
}

TEST(Variables, TruncatedNormalStaysWithinTwoDeviations) {
  auto values = initial(
      [](auto &i) {
        i.mutable_normal()->set_stddev(1);
        i.mutable_normal()->set_truncated(true);
      },
      40000);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, -2);
  EXPECT_LE(*high, 2);
  EXPECT_LT(*low, -1.95);
}

TEST(Variables, FillAndConstant) {
  EXPECT_EQ(initial([](auto &i) { i.set_fill(0.5); }, 2),
            (std::vector<float>{0.5, 0.5}));
  PlanContents contents = contentsOf(localPlan());
  contents.plan.mutable_variables(0)->mutable_initializer()->set_constant("c");
  std::vector<float> values = {1, 2, 3, 4};
  contents.members["constants/c"].assign(
      reinterpret_cast<const char *>(values.data()), 16);
  auto variables = Variables::create(Plan::create(contents, "p").take(),
                                     {"local", 0}, device)
                       .take();
  variables->initialize(0);
  EXPECT_EQ(floats(variables->bytes(0)), values);
  contents.members["constants/c"].resize(4); // one element for all
  variables = Variables::create(Plan::create(contents, "p").take(),
                                {"local", 0}, device)
                  .take();
  variables->initialize(0);
  EXPECT_EQ(floats(variables->bytes(0)), (std::vector<float>{1, 1, 1, 1}));
}

TEST(Variables, NamesWhatDoesNotFit) {
  auto variables =
      Variables::create(planOf(clusterPlan(2, 2)), {"ps", 1}, device).take();
  std::vector<float> three(3);
  EXPECT_EQ(variables->set(1, std::as_bytes(std::span(three))).message(),
            "variable 'w': got 12 bytes, tensor<4xf32> has 16");
  EXPECT_EQ(variables->set(0, std::as_bytes(std::span(three))).message(),
            "variable 'v' lives on ps:0");
  EXPECT_EQ(variables->set(5, {}).message(), "there is no variable 5");
  HostDevice small("cpu:0", 8);
  EXPECT_NE(Variables::create(planOf(localPlan()), {"local", 0}, small)
                .status()
                .message()
                .find("variable 'v': "),
            std::string::npos);
}

} // namespace
} // namespace dtc
