#include "runtime/plan/AsyncEntry.h"

#include <functional>

#include <gtest/gtest.h>

#include "runtime/plan/PlanFixtures.h"
#include "runtime/plan/Proof.h"

namespace dtc {
namespace {

using namespace fixtures;

proto::Plan asyncPlan(int servers, int workers) {
  return clusterPlan(servers, workers, proto::ASYNC);
}

/// What loading and proving say when `change` was done to a plan.
std::string after(proto::Plan plan,
                  const std::function<void(proto::Entry &)> &change) {
  change(*plan.mutable_entries(0));
  auto loaded = Plan::create(contentsOf(std::move(plan)), "p");
  return loaded.isOk() ? proveNoWaitCycle(**loaded).message()
                       : loaded.status().message();
}

/// Lets each of two servers take a value from the other's apply: before it
/// sends its own, if `first`.
void entangle(proto::Entry &train, bool first) {
  proto::TensorType row = f32({4});
  uint32_t edges[] = {
      addEdge(train, "there", row, task("ps", 0), task("ps", 1)),
      addEdge(train, "back", row, task("ps", 1), task("ps", 0))};
  for (int index : {0, 1}) {
    proto::Program &ps = *train.mutable_programs(1 + index);
    ps.mutable_activations()->RemoveLast();
    ActivationBuilder apply(ps, proto::Activation::APPLY);
    uint32_t own = apply.take("gradient" + std::to_string(index), row);
    if (first)
      apply.send(edges[index], apply.recv(edges[1 - index], row));
    else
      apply.send(edges[index], own), apply.recv(edges[1 - index], row);
  }
}

TEST(AsyncEntry, KnowsWhoAppliesAndWhetherOneLeads) {
  auto plan = Plan::create(contentsOf(asyncPlan(2, 3)), "p").take();
  const proto::Entry &train = plan->entry(0);
  EXPECT_TRUE(plan->isAsync(train));
  EXPECT_FALSE(plan->isAsync(plan->entry(1))); // @eval updates nothing
  EXPECT_EQ(applyTasks(*plan, train),
            (std::vector<TaskId>{{"ps", 0}, {"ps", 1}, {"worker", 0}}));
  EXPECT_EQ(applyLeader(*plan, train), std::nullopt);

  proto::Plan entangled = asyncPlan(2, 3);
  entangle(*entangled.mutable_entries(0), false);
  plan = Plan::create(contentsOf(entangled), "p").take();
  EXPECT_EQ(applyLeader(*plan, plan->entry(0)), (TaskId{"ps", 0}));
  // One value crosses for each push.
  EXPECT_EQ(plan->bytesPerStep(plan->entry(0)),
            3u * 4 * 16 + 2 * 4 + 3u * 2 * 16);
}

TEST(AsyncEntry, LegalPlansAreProven) {
  auto nothing = [](auto &) {};
  EXPECT_EQ(after(asyncPlan(1, 1), nothing), "");
  EXPECT_EQ(after(asyncPlan(1, 5), nothing), "");
  EXPECT_EQ(after(asyncPlan(2, 3), nothing), "");
  EXPECT_EQ(after(asyncPlan(2, 3), [](auto &e) { entangle(e, false); }), "");
}

// Two applies of one push that each wait for the other.
TEST(AsyncEntry, ACircleOfAppliesIsRefused) {
  std::string proof =
      after(asyncPlan(2, 3), [](auto &e) { entangle(e, true); });
  for (const char *part :
       {"would wait for ever", "ps:0 apply of replica 0: instruction 1, recv",
        "ps:1 apply of replica 0: instruction 1, recv"})
    EXPECT_NE(proof.find(part), std::string::npos) << proof;
}

TEST(AsyncEntry, APushHasToComeToWhoAppliesIt) {
  EXPECT_EQ(
      after(asyncPlan(2, 2),
            [](auto &e) {
              auto &ps = *e.mutable_programs(1);
              ps.mutable_activations(0)->mutable_instructions()->RemoveLast();
              ps.mutable_activations(1)->mutable_instructions()->Clear();
              ps.mutable_activations(1)->mutable_buffers()->Clear();
              ps.mutable_activations(1)->set_arena_bytes(0);
            }),
      "p: entry 'train': update async: ps:0 applies pushes, but no part "
      "of a push comes there");
}

TEST(AsyncEntry, APushIsAppliedInOneActivation) {
  EXPECT_EQ(after(asyncPlan(1, 2),
                  [](auto &e) {
                    e.mutable_programs(1)->add_activations()->set_kind(
                        proto::Activation::APPLY);
                  }),
            "p: entry 'train': update async: ps:0 applies a push in two "
            "activations");
}

// What is sent may be on its way while a push changes the variable.
TEST(AsyncEntry, AVariableIsSentAsACopy) {
  EXPECT_EQ(
      after(asyncPlan(2, 2),
            [](auto &e) {
              auto &serve = *e.mutable_programs(1)->mutable_activations(0);
              serve.mutable_instructions(2)->mutable_send()->set_buffer(0);
            }),
      "p: entry 'train', ps:0 serve: instruction 2, send 'send' "
      "(fixture.mlir:3:1): update async: sends a variable's storage, "
      "which a push may change meanwhile; send a copy");
}

// A push is taken as it is: whatever its type, and with its own rows only.
TEST(AsyncEntry, APushHasNoMean) {
  proto::TensorType number;
  number.set_element(proto::I64);
  auto add = [&](const proto::TensorType &given, const proto::TensorType &taken,
                 bool concat) {
    return after(asyncPlan(1, 2), [&](proto::Entry &e) {
      uint32_t edge =
          addEdge(e, "more", given, task("worker", -1), task("worker", 0));
      ActivationBuilder step(*addProgram(e, "worker", -1),
                             proto::Activation::STEP);
      if (given.shape_size())
        step.send(edge, step.readInput(0, given));
      else
        step.send(edge, step.replicaIndex());
      e.mutable_programs()->DeleteSubrange(2, 1); // the chief's
      proto::Program &chief = *addProgram(e, "worker", 0);
      ActivationBuilder serve(chief, proto::Activation::SERVE);
      serve.accumulate("loss", serve.recv(4, f32({})));
      serve.accumulate("more", serve.recv(edge, given));
      ActivationBuilder apply(chief, proto::Activation::APPLY);
      apply.writeFetch(0, apply.take("loss", f32({})));
      apply.take("more", taken, concat);
    });
  };
  EXPECT_EQ(add(number, number, false), "");
  EXPECT_EQ(add(f32({4}), f32({4}), true), "");
  EXPECT_NE(add(f32({4}), f32({8}), true)
                .find("given tensor<4xf32>, but taken as tensor<8xf32>"),
            std::string::npos);
}

} // namespace
} // namespace dtc
