#include "runtime/plan/Proof.h"

#include <chrono>

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
  uint32_t there =
      addEdge(entry, "there", row, task("worker", 0), task("worker", 1));
  uint32_t back =
      addEdge(entry, "back", row, task("worker", 1), task("worker", 0));
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
  proto::Plan plan = clusterPlan(1, 2);
  // The chief's serve activation sends nothing; let its apply send to ps:0,
  // whose serve of replica 0 … is what apply of the chief waits for.
  proto::Plan circle = inGraph(2);
  proto::Entry &entry = *circle.mutable_entries(0);
  proto::TensorType row = f32({4});
  uint32_t out =
      addEdge(entry, "out", row, task("worker", 0), task("worker", 1));
  uint32_t back =
      addEdge(entry, "back", row, task("worker", 1), task("worker", 0));
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

// Any number of workers costs what three cost, and length costs linearly.
TEST(Proof, IsNearLinear) {
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
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(proofOf(plan), "OK");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

} // namespace
} // namespace dtc
