// What differs between small plans that were written by hand.
#include "tools/dtc/PlanDiff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/plan/PlanFixtures.h"

namespace dtc::tool {
namespace {

using namespace fixtures;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Plan::Ptr make(proto::Plan proto) {
  return Plan::create(contentsOf(std::move(proto)), "p").take();
}

/// clusterPlan(), whose updates are named as the variables' are: w.new.
Plan::Ptr withNamedUpdates(int servers) {
  proto::Plan plan = clusterPlan(servers, 2);
  for (proto::Program &program : *plan.mutable_entries(0)->mutable_programs())
    for (proto::Activation &activation : *program.mutable_activations()) {
      std::string variable;
      for (proto::Instruction &it : *activation.mutable_instructions()) {
        if (it.has_load_variable())
          variable = plan.variables(it.load_variable().variable()).name();
        if (it.has_launch() && !variable.empty())
          it.set_name(variable + ".new");
      }
    }
  return make(std::move(plan));
}

PlanDiff diffTrain(const Plan &a, const Plan &b, double stepA = 1,
                   double stepB = 1) {
  return diffPlans({a, a.entry(0), stepA}, {b, b.entry(0), stepB});
}

TEST(PlanDiff, EqualPlansDoNotDiffer) {
  Plan::Ptr plan = make(clusterPlan(1, 2));
  PlanDiff diff = diffTrain(*plan, *plan);
  EXPECT_TRUE(diff.isEmpty());
  EXPECT_EQ(diffText(diff),
            "entry @train: no op, edge, task or predicted step differs\n");
  EXPECT_EQ(diffJson(diff)["same"], true);
}

// The second server takes w: its update runs there, its bytes lie there.
TEST(PlanDiff, AVariableTakesItsUpdateAlong) {
  Plan::Ptr one = withNamedUpdates(1), two = withNamedUpdates(2);
  PlanDiff diff = diffTrain(*one, *two);
  ASSERT_EQ(diff.variables.size(), 1u);
  EXPECT_EQ(diff.variables[0].name, "w");
  EXPECT_THAT(diff.variables[0].from, ElementsAre("ps:0"));
  EXPECT_THAT(diff.variables[0].to, ElementsAre("ps:1"));
  ASSERT_EQ(diff.ops.size(), 1u);
  EXPECT_EQ(diff.ops[0].name, "w.new");
  EXPECT_EQ(diff.ops[0].kind, "graph.apply_gradient_descent");
  EXPECT_THAT(diff.ops[0].from, ElementsAre("ps:0 apply"));
  EXPECT_THAT(diff.ops[0].to, ElementsAre("ps:1 apply"));
  ASSERT_EQ(diff.tasks.size(), 2u);
  EXPECT_EQ(diff.tasks[0].task, "ps:0");
  EXPECT_EQ(diff.tasks[0].variables.delta(), -16);
  EXPECT_EQ(diff.tasks[1].task, "ps:1");
  EXPECT_EQ(diff.tasks[1].variables.delta(), 16);
  EXPECT_THAT(diff.edges, IsEmpty()); // as many bytes, by other ways
  EXPECT_THAT(diffText(diff), HasSubstr("1 variable moved, 0 new, 0 gone"));
}

// A third worker: its share of every edge of the template.
TEST(PlanDiff, EdgesCountForAllTheirTasks) {
  Plan::Ptr two = make(clusterPlan(1, 2)), three = make(clusterPlan(1, 3));
  PlanDiff diff = diffTrain(*two, *three);
  ASSERT_EQ(diff.edges.size(), 5u);
  EXPECT_EQ(diff.edges[0].name, "loss"); // in the order of keys
  EXPECT_EQ(diff.edges[0].from, 4u);     // worker:0's own stays there
  EXPECT_EQ(diff.edges[0].to, 8u);
  EXPECT_EQ(diff.edges[1].name, "v");
  EXPECT_EQ(diff.edges[1].delta(), 16);
  EXPECT_EQ(diff.bytesPerStep.delta(), 4 * 16 + 4);
  EXPECT_EQ(diffJson(diff)["edges"][1]["delta"], 16);
}

TEST(PlanDiff, TheStepAloneMayDiffer) {
  Plan::Ptr plan = make(clusterPlan(1, 2));
  PlanDiff diff = diffTrain(*plan, *plan, 0.002, 0.001);
  EXPECT_FALSE(diff.isEmpty());
  EXPECT_THAT(diffText(diff), HasSubstr("predicted step 2.000 ms -> 1.000 ms, "
                                        "-1.000 ms (-50 %)"));
}

TEST(PlanDiff, SaysWhenTheGraphsDiffer) {
  proto::Plan other = clusterPlan(1, 2);
  other.set_source_sha256(std::string(64, 'f'));
  Plan::Ptr a = make(clusterPlan(1, 2)), b = make(std::move(other));
  EXPECT_THAT(diffText(diffTrain(*a, *b)),
              HasSubstr("the plans were compiled from different graphs"));
}

} // namespace
} // namespace dtc::tool
