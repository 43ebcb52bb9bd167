// Placements whose cost can be told by hand, and small ones against all others.
#include "passes/dist/CostPolicy.h"

#include <algorithm>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dtc::dist {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

/// Devices alike; every op is an item of its own, and may be anywhere.
struct Builder {
  explicit Builder(size_t devices, double linkSeconds = 1) {
    for (size_t device = 0; device < devices; ++device)
      problem.devices.push_back({"worker:" + std::to_string(device)});
    problem.link.latencySeconds = linkSeconds;
  }
  size_t item(int64_t residentBytes = 0) {
    problem.items.push_back({.residentBytes = residentBytes,
                             .firstDevice = 0,
                             .endDevice = problem.devices.size()});
    return problem.items.size() - 1;
  }
  size_t op(double seconds, std::vector<size_t> operands = {},
            int64_t bytes = 0) {
    return opOf(item(), seconds, std::move(operands), bytes);
  }
  size_t opOf(size_t item, double seconds, std::vector<size_t> operands = {},
              int64_t bytes = 0) {
    problem.ops.push_back({.item = item,
                           .seconds = seconds,
                           .bytes = bytes,
                           .wireBytes = bytes,
                           .operands = std::move(operands)});
    return problem.ops.size() - 1;
  }
  void fix(size_t item, size_t device) {
    CostProblem::Item &its = problem.items[item];
    its.firstDevice = its.initialDevice = device;
    its.endDevice = device + 1;
  }
  /// The outcome with items on these devices.
  CostOutcome on(std::vector<size_t> device) {
    return evaluateCost(problem, device);
  }

  CostProblem problem;
};

TEST(CostModel, AChainTakesItsSumAndItsEdges) {
  Builder b(2);
  b.problem.link.bytesPerSecond = 4;
  size_t first = b.op(1, {}, 8), second = b.op(2, {first}, 8);
  b.op(3, {second});
  EXPECT_DOUBLE_EQ(b.on({0, 0, 0}).stepSeconds, 6);
  EXPECT_DOUBLE_EQ(b.on({0, 1, 1}).stepSeconds, 6 + 1 + 2);
  EXPECT_DOUBLE_EQ(b.on({0, 1, 0}).stepSeconds, 6 + 2 * (1 + 2));
}

// G7: what is rounded on the wire takes the time of the bytes there, and the
// memory of whole ones.
TEST(CostModel, AnEdgeTakesTheBytesOnTheWire) {
  Builder b(2);
  b.problem.link.bytesPerSecond = 4;
  size_t first = b.op(1, {}, 8);
  b.problem.ops[first].wireBytes = 4;
  b.op(3, {first});
  CostOutcome outcome = b.on({0, 1});
  EXPECT_DOUBLE_EQ(outcome.stepSeconds, 4 + 1 + 1);
  EXPECT_EQ(outcome.peakBytes, (std::vector<int64_t>{8, 8}));
}

// G4: one transfer per value and target.
TEST(CostModel, AValueGoesOnceToADevice) {
  Builder b(2);
  b.problem.link.bytesPerSecond = 1;
  size_t value = b.op(1, {}, 10);
  b.op(1, {value});
  b.op(1, {value});
  EXPECT_DOUBLE_EQ(b.on({0, 1, 1}).stepSeconds, 1 + (1 + 10) + 2);
}

// What gathers while a link is busy goes together.
TEST(CostModel, ValuesGoInBatches) {
  Builder b(2, 0);
  b.problem.link.batchSeconds = 10;
  b.problem.link.messageSeconds = 1;
  std::vector<size_t> values;
  for (int i = 0; i < 3; ++i)
    values.push_back(b.op(1));
  b.op(1, values);
  // The first leaves at 1 and takes 11 s; the others are there at 2 and 3, and
  // begin at 12.
  EXPECT_DOUBLE_EQ(b.on({0, 0, 0, 1}).stepSeconds, 12 + 10 + 2 * 1 + 1);
}

// A gain that is within the model's error is none.
TEST(CostPolicy, ASmallGainMovesNothing) {
  Builder b(2, 8);
  std::vector<size_t> values = {b.op(10), b.op(10)};
  b.op(1, values);
  EXPECT_DOUBLE_EQ(solveCost(b.problem).outcome.stepSeconds, 19);
  b.problem.leastGain = 0.1; // of 21 s
  CostSolution solution = solveCost(b.problem);
  EXPECT_THAT(solution.device, Each(0));
  EXPECT_DOUBLE_EQ(solution.outcome.stepSeconds, 21);
}

// A device that waits for a value takes what is ready meanwhile.
TEST(CostModel, WaitingHoldsNothingUp) {
  Builder b(2, 5);
  size_t far = b.op(1);
  b.op(1, {far});
  b.op(4);
  EXPECT_DOUBLE_EQ(b.on({1, 0, 0}).stepSeconds, 1 + 5 + 1);
}

TEST(CostModel, MemoryIsWhatResidesAndWhatIsNeeded) {
  Builder b(2);
  size_t variable = b.item(100);
  size_t read = b.opOf(variable, 0, {}, 100);
  b.problem.ops[read].isInPlace = true;
  size_t value = b.op(1, {read}, 10);
  size_t next = b.op(1, {value}, 20);
  b.op(1, {next}, 5);
  EXPECT_THAT(b.on({0, 0, 0, 0}).peakBytes, ElementsAre(130, 0));
  // The variable's copy is needed until the value is there.
  EXPECT_THAT(b.on({0, 1, 1, 1}).peakBytes, ElementsAre(100, 110));
  b.problem.devices[0].memoryBytes = 120;
  EXPECT_EQ(b.on({0, 0, 0, 0}).lackingBytes, 10);
  EXPECT_EQ(b.on({0, 1, 1, 1}).lackingBytes, 0);
}

/// Two chains of `length` ops from one source to one end.
Builder fork(double seconds, size_t length) {
  Builder b(2);
  size_t source = b.op(0.1);
  std::vector<size_t> ends;
  for (size_t i = 0; i < 2 * length; ++i)
    ends.push_back(
        b.op(seconds, {i % length == 0 ? source : b.problem.ops.size() - 1}));
  b.op(0.1, {ends[length - 1], ends.back()});
  return b;
}

TEST(CostPolicy, HeavyBranchesGoApart) {
  Builder b = fork(1, 5);
  CostSolution solution = solveCost(b.problem);
  // The end joins the branch that is far; the other's value comes meanwhile.
  EXPECT_DOUBLE_EQ(solution.outcome.stepSeconds, 0.1 + 1 + 5 + 0.1);
  EXPECT_DOUBLE_EQ(solution.initial.stepSeconds, 10.2);
  // A branch is whole.
  EXPECT_NE(solution.device[1], solution.device[6]);
  for (size_t i : {2, 3, 4, 5})
    EXPECT_EQ(solution.device[i], solution.device[1]);
}

TEST(CostPolicy, LightBranchesStayTogether) {
  CostSolution solution = solveCost(fork(0.1, 5).problem);
  EXPECT_THAT(solution.device, Each(0));
  EXPECT_DOUBLE_EQ(solution.outcome.stepSeconds, 1.2);
}

// A variable goes where it is used, and takes its update along.
TEST(CostPolicy, AVariableFollowsItsUsers) {
  Builder b(2, 0.5);
  b.problem.link.bytesPerSecond = 10;
  size_t input = b.op(0.1, {}, 1);
  std::vector<size_t> variables;
  for (int i = 0; i < 2; ++i) {
    size_t variable = b.item(1000);
    variables.push_back(variable);
    size_t read = b.opOf(variable, 0, {}, 1000);
    size_t forward = b.op(50, {input, read}, 1);
    size_t gradient = b.op(50, {forward}, 1000);
    b.opOf(variable, 1, {gradient});
  }
  CostSolution solution = solveCost(b.problem);
  EXPECT_NE(solution.device[variables[0]], solution.device[variables[1]]);
  for (size_t variable : variables)
    EXPECT_EQ(solution.device[variable + 1], solution.device[variable]);
  EXPECT_LT(solution.outcome.stepSeconds, 102);
}

TEST(CostPolicy, WishesStand) {
  Builder b = fork(1, 5);
  b.fix(b.problem.ops[1].item, 1);
  b.fix(b.problem.ops[6].item, 1);
  CostSolution solution = solveCost(b.problem);
  EXPECT_EQ(solution.device[1], 1u);
  EXPECT_EQ(solution.device[6], 1u);
  EXPECT_THAT(solution.alternatives[1], SizeIs(0));
}

// Memory comes before time.
TEST(CostPolicy, VariablesGoWhereThereIsRoom) {
  Builder b(3);
  for (int i = 0; i < 3; ++i) {
    size_t variable = b.item(60);
    b.opOf(variable, 0.01, {b.opOf(variable, 0)});
  }
  for (CostProblem::Device &device : b.problem.devices)
    device.memoryBytes = 100;
  CostSolution solution = solveCost(b.problem);
  EXPECT_EQ(solution.outcome.lackingBytes, 0);
  EXPECT_EQ(std::set(solution.device.begin(), solution.device.end()).size(),
            3u);
  for (CostProblem::Device &device : b.problem.devices)
    device.memoryBytes = 50;
  EXPECT_EQ(solveCost(b.problem).outcome.lackingBytes, 3 * 10);
}

TEST(CostPolicy, AlternativesSayWhatElseItWouldCost) {
  Builder b = fork(0.1, 1);
  CostSolution solution = solveCost(b.problem);
  ASSERT_EQ(solution.alternatives[1].size(), 1u);
  EXPECT_EQ(solution.alternatives[1][0].device, 1u);
  // There and back; the other branch runs meanwhile.
  EXPECT_DOUBLE_EQ(solution.alternatives[1][0].stepSeconds,
                   0.1 + 1 + 0.1 + 1 + 0.1);
}

/// A graph without a plan; variables, fixed items and small memory among it.
Builder randomProblem(std::mt19937 &random) {
  auto below = [&](uint32_t end) { return random() % end; };
  Builder b(2 + below(2), 0.1 * below(20));
  b.problem.link.bytesPerSecond = 1 + below(50);
  size_t items = 3 + below(5);
  while (b.problem.items.size() < items) {
    size_t item = b.item(below(3) == 0 ? 10 * below(5) : 0);
    std::vector<size_t> operands;
    for (size_t op = 0; op < b.problem.ops.size(); ++op)
      if (below(3) == 0)
        operands.push_back(op);
    b.opOf(item, 0.1 * below(40), operands, below(30));
    if (below(4) == 0) // another op that must be with it
      b.opOf(item, 0.1 * below(40), {b.problem.ops.size() - 1}, below(30));
    if (below(6) == 0)
      b.fix(item, below(b.problem.devices.size()));
  }
  if (below(3) == 0)
    for (CostProblem::Device &device : b.problem.devices)
      device.memoryBytes = 40 + below(100);
  return b;
}

CostOutcome bestOfAll(const CostProblem &problem) {
  std::vector<size_t> device;
  for (const CostProblem::Item &item : problem.items)
    device.push_back(item.firstDevice);
  CostOutcome best = evaluateCost(problem, device);
  while (true) {
    size_t item = 0;
    for (; item < device.size(); ++item) {
      if (++device[item] < problem.items[item].endDevice)
        break;
      device[item] = problem.items[item].firstDevice;
    }
    if (item == device.size())
      return best;
    CostOutcome next = evaluateCost(problem, device);
    if (next.isBetterThan(best))
      best = next;
  }
}

// Never worse than before, never in want of room that there is, and mostly the
// best there is.
TEST(CostPolicy, IsCloseToTheBestOfSmallProblems) {
  std::mt19937 random(7);
  int best = 0, count = 300;
  for (int i = 0; i < count; ++i) {
    CostProblem problem = randomProblem(random).problem;
    CostSolution solution = solveCost(problem);
    CostOutcome outcome = evaluateCost(problem, solution.device);
    EXPECT_EQ(outcome.stepSeconds, solution.outcome.stepSeconds);
    EXPECT_FALSE(solution.initial.isBetterThan(outcome)) << i;
    CostOutcome optimum = bestOfAll(problem);
    best += !optimum.isBetterThan(outcome);
    EXPECT_EQ(outcome.lackingBytes == 0, optimum.lackingBytes == 0) << i;
    if (outcome.lackingBytes == 0) {
      EXPECT_LE(outcome.stepSeconds, 1.5 * optimum.stepSeconds) << i;
    }
    for (size_t item = 0; item < problem.items.size(); ++item)
      EXPECT_TRUE(problem.items[item].mayBeOn(solution.device[item]));
  }
  EXPECT_GE(best, count * 95 / 100);
}

TEST(CostPolicy, IsDeterministic) {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    CostProblem problem = randomProblem(random).problem;
    EXPECT_EQ(solveCost(problem).device, solveCost(problem).device);
  }
}

} // namespace
} // namespace dtc::dist
