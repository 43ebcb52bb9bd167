// Reasons: what a damaged plan says of itself is refused by name.
#include <functional>
#include <gtest/gtest.h>

#include "runtime/plan/Plan.h"
#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;

/// What is said of a good plan after `damage`.
std::string after(const std::function<void(proto::Plan &)> &damage) {
  proto::Plan plan = clusterPlan(1, 2);
  damage(plan);
  auto result = Plan::create(contentsOf(std::move(plan)), "p");
  return result.isOk() ? "OK" : result.status().message();
}

// A reader follows the numbers of decisions, so they are checked too.
TEST(PlanCheck, Decisions) {
  auto decide = [](uint32_t program, uint32_t instruction, uint32_t node,
                   uint32_t reason) {
    return [=](auto &p) {
      p.add_reasons("it was asked for");
      proto::Decision &decision = *p.mutable_entries(0)->add_decisions();
      decision.set_op("y");
      decision.set_program(program);
      decision.set_instruction(instruction);
      decision.set_node(node);
      decision.set_reason(reason);
    };
  };
  EXPECT_EQ(after(decide(0, 0, 0, 1)), "OK");
  EXPECT_EQ(after(decide(0, 0, 0, 0)), "OK");
  EXPECT_EQ(after(decide(7, 0, 0, 1)),
            "p: entry 'train': the decision on 'y' is about program 7, "
            "activation 0, instruction 0, which does not exist");
  EXPECT_EQ(after(decide(0, 99, 0, 1)),
            "p: entry 'train': the decision on 'y' is about program 0, "
            "activation 0, instruction 99, which does not exist");
  EXPECT_EQ(after(decide(0, 0, 5, 1)),
            "p: entry 'train': the decision on 'y' is about node 5 of 1");
  EXPECT_EQ(after(decide(0, 0, 0, 2)),
            "p: entry 'train': the decision on 'y' names reason 2 of 1");
  EXPECT_EQ(after([&](auto &p) {
              decide(0, 1, 0, 1)(p);
              decide(0, 0, 0, 1)(p);
            }),
            "p: entry 'train': the decision on 'y' is not in the order of the "
            "instructions");
  EXPECT_EQ(after([](auto &p) { p.mutable_variables(0)->set_reason(1); }),
            strCat("p: variable '", clusterPlan(1, 2).variables(0).name(),
                   "': names reason 1 of 0"));
}

} // namespace
} // namespace dtc
