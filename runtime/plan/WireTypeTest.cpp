// What f32 is on the wire (G7): an edge says it, and a plan that says it where
// it must not is refused.
#include "runtime/plan/WireType.h"

#include <functional>
#include <gtest/gtest.h>

#include "runtime/plan/Plan.h"
#include "runtime/plan/PlanCheck.h"
#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;

/// What is said of a good plan with bf16 on the wire after `damage`.
std::string after(const std::function<void(proto::Plan &)> &damage) {
  proto::Plan plan = withNarrowWire(clusterPlan(1, 2));
  damage(plan);
  auto result = Plan::create(contentsOf(std::move(plan)), "p");
  return result.isOk() ? "OK" : result.status().message();
}

proto::Edge &firstEdge(proto::Plan &plan) {
  return *plan.mutable_entries(0)->mutable_edges(0);
}

TEST(WireType, BytesOfAPlanAreThoseOnTheWire) {
  auto whole = Plan::create(contentsOf(clusterPlan(1, 2)), "p").take();
  auto narrow =
      Plan::create(contentsOf(withNarrowWire(clusterPlan(1, 2))), "p").take();
  for (uint32_t entry : {0, 1, 2})
    EXPECT_EQ(2 * narrow->bytesPerStep(narrow->entry(entry)),
              whole->bytesPerStep(whole->entry(entry)));
  EXPECT_EQ(wireElement(whole->entry(0).edges(0)), ElementType::F32);
  EXPECT_EQ(wireElement(narrow->entry(0).edges(0)), ElementType::BF16);
}

// Each send that packs has room of its own, in cache lines; no other has.
TEST(WireType, RoomForPackingLiesBehindTheArena) {
  proto::Plan plan = withNarrowWire(clusterPlan(1, 2));
  const proto::Entry &train = plan.entries(0);
  for (const proto::Program &program : train.programs())
    for (const proto::Activation &activation : program.activations()) {
      uint64_t sends = 0;
      for (const proto::Instruction &it : activation.instructions()) {
        EXPECT_EQ(packBytes(train, it), it.has_send() ? 64 : 0);
        sends += it.has_send();
      }
      EXPECT_EQ(memoryBytes(train, activation),
                activation.arena_bytes() + 64 * sends);
    }
}

TEST(WireType, OnlyF32IsNarrowedAndOnlyToBf16) {
  EXPECT_EQ(after([](auto &) {}), "OK");
  EXPECT_EQ(after([](auto &p) { firstEdge(p).set_wire(proto::F16); }),
            "p: entry 'train': edge 'v' crosses as f16; only bf16 is possible");
  EXPECT_EQ(after([](auto &p) { firstEdge(p).set_wire(proto::F32); }),
            "p: entry 'train': edge 'v' crosses as f32; only bf16 is possible");
  EXPECT_EQ(
      after([](auto &p) { firstEdge(p).set_wire(proto::ElementType(77)); }),
      "p: entry 'train': edge 'v' crosses as element type 77; only bf16 is "
      "possible");
}

// Indices, counts and flags are what they are.
TEST(WireType, OtherElementsCrossAsTheyAre) {
  for (proto::ElementType element : {proto::F64, proto::F16, proto::BF16,
                                     proto::I1, proto::I32, proto::I64}) {
    proto::Edge edge;
    edge.set_wire(proto::BF16);
    edge.mutable_type()->set_element(element);
    edge.mutable_type()->add_shape(4);
    TensorType type = TensorType::create(edge.type()).take();
    EXPECT_EQ(
        checkWire(edge, type).message(),
        strCat("crosses as bf16, but is ", type, "; only f32 is narrowed"));
  }
}

TEST(WireType, NothingIsRoundedWithinATask) {
  EXPECT_EQ(after([](auto &p) {
              firstEdge(p).mutable_target()->set_job("ps");
              firstEdge(p).mutable_target()->set_index(0);
            }),
            "p: entry 'train': edge 'v' crosses as bf16, but stays on ps:0; "
            "nothing is rounded within a task");
}

TEST(WireType, AnEdgesBytesAreThoseOfItsWireType) {
  EXPECT_EQ(after([](auto &p) { firstEdge(p).set_bytes(16); }),
            "p: entry 'train': edge 'v' has 16 bytes, tensor<4xf32> as bf16 "
            "has 8");
}

// A sum that does not fit is no small sum.
TEST(WireType, RoomForPackingIsBounded) {
  proto::Entry entry;
  proto::Edge &edge = *entry.add_edges();
  edge.mutable_type()->set_element(proto::F32);
  edge.set_wire(proto::BF16);
  edge.set_bytes(uint64_t(1) << 63);
  proto::Activation activation;
  for (int i = 0; i < 32; ++i)
    activation.add_instructions()->mutable_send()->set_edge(0);
  EXPECT_EQ(memoryBytes(entry, activation), tooManyBytes);
  proto::Program program;
  program.mutable_task()->set_job("ps");
  EXPECT_EQ(
      checkPackBytes(entry, {{&program, &activation, "ps:0 step"}}).message(),
      "ps:0 step: an arena of 0 bytes and what its sends pack are over "
      "the limit of 281474976710656");
}

} // namespace
} // namespace dtc
