#include "runtime/plan/Proof.h"

#include <gtest/gtest.h>

#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;

std::string proofOf(const proto::Plan &proto) {
  auto plan = Plan::create(contentsOf(proto), "p");
  if (!plan.isOk())
    return "not a plan: " + plan.status().message();
  return proveNoWaitCycle(**plan).toString();
}

/// An in-graph plan for `workers` tasks with one entry and no programs yet.
proto::Plan inGraph(int workers) {
  proto::Plan plan;
  plan.set_schema_version(1);
  addJob(plan, "worker", workers);
  plan.add_entries()->set_name("train");
  plan.mutable_entries(0)->set_replicas(1);
  plan.mutable_entries(0)->set_has_updates(true);
  return plan;
}

/// Edges 'there' from worker:0 to worker:1, and 'back'.
std::pair<uint32_t, uint32_t> addBothWays(proto::Entry &entry,
                                          const proto::TensorType &type) {
  uint32_t there =
      addEdge(entry, "there", type, task("worker", 0), task("worker", 1));
  return {there,
          addEdge(entry, "back", type, task("worker", 1), task("worker", 0))};
}

TEST(Proof, LegalPlansPass) {
  EXPECT_EQ(proofOf(clusterPlan(1, 1)), "OK");
  EXPECT_EQ(proofOf(clusterPlan(2, 5)), "OK");
  EXPECT_EQ(proofOf(localPlan()), "OK");
}

// Each task waits for the other before it sends.
TEST(Proof, RefusesTwoTasksThatBothReceiveFirst) {
  proto::Plan plan = inGraph(2);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  auto [there, back] = addBothWays(entry, row);
  ActivationBuilder first(*addProgram(entry, "worker", 0),
                          proto::Activation::STEP);
  first.send(there, first.recv(back, row));
  ActivationBuilder second(*addProgram(entry, "worker", 1),
                           proto::Activation::STEP);
  second.send(back, second.recv(there, row));
  EXPECT_EQ(proofOf(plan),
            "FAILED_PRECONDITION: p: entry 'train' would wait for ever:\n"
            "  worker:0 step: instruction 0, recv 'recv' (fixture.mlir:1:1) "
            "over edge 'back'\n"
            "  waits for worker:1 step: instruction 1, send 'send' "
            "(fixture.mlir:2:1) over edge 'back'\n"
            "  waits for worker:1 step: instruction 0, recv 'recv' "
            "(fixture.mlir:1:1) over edge 'there'\n"
            "  waits for worker:0 step: instruction 1, send 'send' "
            "(fixture.mlir:2:1) over edge 'there'\n"
            "  waits for worker:0 step: instruction 0, recv 'recv' "
            "(fixture.mlir:1:1) over edge 'back'");
}

// One stage sends a, then b; the other wants b first.
TEST(Proof, RefusesTwoStagesThatDisagreeOnTheOrderOfTransfers) {
  proto::Plan plan = inGraph(2);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  addVariable(plan, "v", task("worker", 0));
  uint32_t a = addEdge(entry, "a", row, task("worker", 0), task("worker", 1));
  uint32_t b = addEdge(entry, "b", row, task("worker", 0), task("worker", 1));
  ActivationBuilder first(*addProgram(entry, "worker", 0),
                          proto::Activation::STEP);
  uint32_t value = first.load(0, row);
  first.send(a, value);
  first.send(b, value);
  ActivationBuilder second(*addProgram(entry, "worker", 1),
                           proto::Activation::STEP);
  second.recv(b, row);
  second.recv(a, row);
  std::string proof = proofOf(plan);
  EXPECT_NE(proof.find("would wait for ever"), std::string::npos) << proof;
  EXPECT_NE(proof.find("over edge 'a'"), std::string::npos) << proof;
  EXPECT_NE(proof.find("over edge 'b'"), std::string::npos) << proof;
}

TEST(Proof, RefusesACircleOfThreeTasks) {
  proto::Plan plan = inGraph(3);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  for (int i = 0; i < 3; ++i)
    addEdge(entry, "e" + std::to_string(i), row, task("worker", i),
            task("worker", (i + 1) % 3));
  for (int i = 0; i < 3; ++i) {
    ActivationBuilder step(*addProgram(entry, "worker", i),
                           proto::Activation::STEP);
    step.send(i, step.recv((i + 2) % 3, row));
  }
  std::string proof = proofOf(plan);
  for (const char *part : {"worker:0 step", "worker:1 step", "worker:2 step"})
    EXPECT_NE(proof.find(part), std::string::npos) << proof;
}

// A step that waits for its own end: what apply sends comes after serve.
TEST(Proof, RefusesAServeThatNeedsItsApply) {
  proto::Plan circle = inGraph(2);
  proto::Entry &entry = *circle.mutable_entries(0);
  proto::TensorType row = f32({4});
  auto [out, back] = addBothWays(entry, row);
  addVariable(circle, "v", task("worker", 0));
  proto::Program &chief = *addProgram(entry, "worker", 0);
  ActivationBuilder step(chief, proto::Activation::STEP);
  step.recv(back, row);
  ActivationBuilder apply(chief, proto::Activation::APPLY);
  apply.send(out, apply.load(0, row));
  ActivationBuilder other(*addProgram(entry, "worker", 1),
                          proto::Activation::STEP);
  other.send(back, other.recv(out, row));
  std::string proof = proofOf(circle);
  EXPECT_NE(proof.find("the end of what worker:0 does before apply"),
            std::string::npos)
      << proof;
}

// Nothing but the order of the calls makes them wait: no value that the one
// sends depends on what it receives.
TEST(Proof, RefusesTwoRanksThatReceiveBeforeTheySend) {
  proto::Plan plan = inGraph(2);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  addVariable(plan, "v", task("worker", 0));
  addVariable(plan, "w", task("worker", 1));
  auto [there, back] = addBothWays(entry, row);
  ActivationBuilder first(*addProgram(entry, "worker", 0),
                          proto::Activation::STEP);
  uint32_t v = first.load(0, row);
  first.recv(back, row);
  first.send(there, v);
  ActivationBuilder second(*addProgram(entry, "worker", 1),
                           proto::Activation::STEP);
  uint32_t w = second.load(1, row);
  second.recv(there, row);
  second.send(back, w);
  EXPECT_EQ(proofOf(plan),
            "FAILED_PRECONDITION: p: entry 'train' would wait for ever:\n"
            "  worker:0 step: instruction 1, recv 'recv' (fixture.mlir:2:1) "
            "over edge 'back'\n"
            "  waits for worker:1 step: instruction 2, send 'send' "
            "(fixture.mlir:3:1) over edge 'back'\n"
            "  calls to one peer run in order, so it waits for worker:1 step: "
            "instruction 1, recv 'recv' (fixture.mlir:2:1) over edge 'there'\n"
            "  waits for worker:0 step: instruction 2, send 'send' "
            "(fixture.mlir:3:1) over edge 'there'\n"
            "  calls to one peer run in order, so it waits for worker:0 step: "
            "instruction 1, recv 'recv' (fixture.mlir:2:1) over edge 'back'");
}

/// Each of two tasks sends `messages` values, then receives as many.
proto::Plan exchange(int messages) {
  proto::Plan plan = inGraph(2);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  addVariable(plan, "v", task("worker", 0));
  addVariable(plan, "w", task("worker", 1));
  for (int i = 0; i < 2 * messages; ++i)
    addEdge(entry, std::to_string(i), row, task("worker", i % 2),
            task("worker", 1 - i % 2));
  for (int self = 0; self < 2; ++self) {
    ActivationBuilder step(*addProgram(entry, "worker", self),
                           proto::Activation::STEP);
    uint32_t value = step.load(self, row);
    for (int i = 0; i < messages; ++i)
      step.send(2 * i + self, value);
    for (int i = 0; i < messages; ++i)
      step.recv(2 * i + 1 - self, row);
  }
  return plan;
}

// A channel holds one message: who sends two before it receives waits for a
// peer that does the same.
TEST(Proof, ChannelsHoldOneMessage) {
  EXPECT_EQ(proofOf(exchange(1)), "OK");
  std::string proof = proofOf(exchange(2));
  EXPECT_NE(proof.find("a channel holds one message, so it waits for"),
            std::string::npos)
      << proof;
}

// What apply sends comes after what step sent, over the same channel, although
// each is taken by the peer's other activation.
TEST(Proof, ChannelsAreInOrderAcrossActivations) {
  proto::Plan plan = inGraph(2);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  addVariable(plan, "v", task("worker", 0));
  uint32_t early =
      addEdge(entry, "early", row, task("worker", 0), task("worker", 1));
  uint32_t late =
      addEdge(entry, "late", row, task("worker", 0), task("worker", 1));
  proto::Program &source = *addProgram(entry, "worker", 0);
  ActivationBuilder step(source, proto::Activation::STEP);
  step.send(early, step.load(0, row));
  ActivationBuilder apply(source, proto::Activation::APPLY);
  apply.send(late, apply.load(0, row));
  proto::Program &target = *addProgram(entry, "worker", 1);
  ActivationBuilder taken(target, proto::Activation::STEP);
  taken.recv(late, row);
  ActivationBuilder left(target, proto::Activation::APPLY);
  left.recv(early, row);
  std::string proof = proofOf(plan);
  EXPECT_NE(proof.find("worker:0 apply: instruction 1, send"),
            std::string::npos)
      << proof;
  EXPECT_NE(proof.find("a channel holds one message, so it waits for worker:1 "
                       "apply: instruction 0, recv"),
            std::string::npos)
      << proof;
}

// Three workers stand for a thousand.
TEST(Proof, HoldsForManyWorkers) {
  EXPECT_EQ(proofOf(clusterPlan(2, 1000)), "OK");
}

/// `edges` values that pass through `tasks` tasks, one after the other.
proto::Plan ring(int tasks, int edges) {
  proto::Plan plan = inGraph(tasks);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  addVariable(plan, "v", task("worker", 0));
  for (int i = 0; i < edges; ++i)
    addEdge(entry, std::to_string(i), row, task("worker", i % tasks),
            task("worker", (i + 1) % tasks));
  for (int self = 0; self < tasks; ++self) {
    ActivationBuilder step(*addProgram(entry, "worker", self),
                           proto::Activation::STEP);
    if (self == 0)
      step.send(0, step.load(0, row));
    for (int i = 1; i <= edges; ++i)
      if (i % tasks == self) {
        uint32_t value = step.recv(i - 1, row);
        if (i < edges)
          step.send(i, value);
      }
  }
  return plan;
}

// A circle of tasks is no circle of waits.
TEST(Proof, HoldsOverManyTasks) { EXPECT_EQ(proofOf(ring(64, 20000)), "OK"); }

TEST(Proof, HoldsOfManyEdges) {
  proto::Plan plan = inGraph(2);
  proto::Entry &entry = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  addVariable(plan, "v", task("worker", 0));
  ActivationBuilder first(*addProgram(entry, "worker", 0),
                          proto::Activation::STEP);
  uint32_t value = first.load(0, row);
  ActivationBuilder second(*addProgram(entry, "worker", 1),
                           proto::Activation::STEP);
  for (int i = 0; i < 20000; ++i) {
    uint32_t edge = addEdge(entry, std::to_string(i), row, task("worker", 0),
                            task("worker", 1));
    first.send(edge, value);
    second.recv(edge, row);
  }
  EXPECT_EQ(proofOf(plan), "OK");
}

} // namespace
} // namespace dtc
