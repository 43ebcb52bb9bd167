#include "runtime/plan/Shards.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;

constexpr int64_t rows = 13, columns = 2;

/// Variables v and w, and `count` parts of a table with 13 rows of two i64, or
/// of two rows of 13.
proto::Plan planWithParts(uint32_t count, uint32_t axis, bool interleaved) {
  proto::Plan plan = clusterPlan(2, 2);
  for (uint32_t i = 0; i < count; ++i) {
    proto::Variable part = plan.variables(0);
    part.set_name(strCat("t/part_", i));
    part.mutable_initializer()->set_fill(0);
    proto::Shard &shard = *part.mutable_shard();
    shard.set_whole("t");
    shard.set_axis(axis);
    shard.set_index(i);
    shard.set_count(count);
    shard.set_interleaved(interleaved);
    part.mutable_type()->set_element(proto::I64);
    part.mutable_type()->clear_shape();
    for (uint32_t dim = 0; dim < 2; ++dim) {
      shard.add_shape(dim == axis ? rows : columns);
      part.mutable_type()->add_shape(
          dim == axis ? rows / count + (i < rows % count) : columns);
    }
    *plan.add_variables() = part;
  }
  // In name order: t/…, v, w.
  std::sort(plan.mutable_variables()->pointer_begin(),
            plan.mutable_variables()->pointer_end(),
            [](auto *a, auto *b) { return a->name() < b->name(); });
  for (proto::Entry &entry : *plan.mutable_entries())
    for (proto::Program &program : *entry.mutable_programs())
      for (proto::Activation &activation : *program.mutable_activations())
        for (proto::Instruction &it : *activation.mutable_instructions()) {
          if (it.has_load_variable())
            it.mutable_load_variable()->set_variable(
                it.load_variable().variable() + count);
          if (it.has_store_variable())
            it.mutable_store_variable()->set_variable(
                it.store_variable().variable() + count);
        }
  return plan;
}

std::vector<int64_t> numbersOf(const std::vector<std::byte> &bytes) {
  const int64_t *data = reinterpret_cast<const int64_t *>(bytes.data());
  return {data, data + bytes.size() / sizeof(int64_t)};
}

/// The first element of each row of the parts of 0, 1, … 25.
std::vector<std::vector<int64_t>> cutRows(uint32_t count, bool interleaved) {
  auto plan =
      Plan::create(contentsOf(planWithParts(count, 0, interleaved)), "p");
  EXPECT_TRUE(plan.isOk()) << plan.status().message();
  std::vector<int64_t> whole(rows * columns);
  std::iota(whole.begin(), whole.end(), 0);
  std::vector<std::vector<int64_t>> parts;
  for (uint32_t i = 0; i < count; ++i) {
    std::vector<int64_t> part;
    for (int64_t n :
         numbersOf(cutPart(**plan, i, std::as_bytes(std::span(whole)))))
      if (n % columns == 0)
        part.push_back(n / columns);
    parts.push_back(part);
  }
  return parts;
}

// P8: the first d mod n parts have one more; TensorFlow's own example, 13 ids
// in 5 shards, for both strategies.
TEST(Shards, DivAndModAreTensorFlows) {
  EXPECT_EQ(cutRows(5, false),
            (std::vector<std::vector<int64_t>>{
                {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10}, {11, 12}}));
  EXPECT_EQ(cutRows(5, true),
            (std::vector<std::vector<int64_t>>{
                {0, 5, 10}, {1, 6, 11}, {2, 7, 12}, {3, 8}, {4, 9}}));
}

TEST(Shards, JoinedPartsAreTheWhole) {
  std::vector<int64_t> numbers(rows * columns);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto bytes = std::as_bytes(std::span(numbers));
  for (uint32_t axis : {0, 1})
    for (bool interleaved : {false, true})
      for (uint32_t count : {2u, 3u, 13u}) {
        auto plan =
            Plan::create(contentsOf(planWithParts(count, axis, interleaved)),
                         "p")
                .take();
        std::vector<WholeVariable> wholes = wholeVariables(*plan);
        ASSERT_EQ(wholes.size(), 3u); // t, v, w
        EXPECT_EQ(wholes[0].name, "t");
        EXPECT_EQ(wholes[0].parts.size(), count);
        EXPECT_EQ(wholes[0].type.bytes, bytes.size());
        std::vector<std::vector<std::byte>> parts;
        for (uint32_t v = 0; v < count; ++v)
          parts.push_back(cutPart(*plan, v, bytes));
        for (uint32_t v = 0; v < count; ++v)
          EXPECT_EQ(parts[v].size(), plan->variableType(v).bytes);
        EXPECT_EQ(numbersOf(joinParts(*plan, wholes[0], parts)), numbers)
            << axis << interleaved << count;
      }
}

std::string after(const std::function<void(proto::Plan &)> &change) {
  proto::Plan plan = planWithParts(3, 0, false);
  change(plan);
  auto loaded = Plan::create(contentsOf(std::move(plan)), "p");
  return loaded.isOk() ? "" : loaded.status().message();
}

TEST(Shards, PartsThatDoNotFitAreRefused) {
  auto shard = [](proto::Plan &plan, int part) {
    return plan.mutable_variables(part)->mutable_shard();
  };
  EXPECT_EQ(after([](auto &) {}), "");
  EXPECT_EQ(after([&](auto &p) { shard(p, 0)->set_index(1); }),
            "p: variable 't/part_0': is tensor<5x2xi64>, but part 1 of 3 of "
            "'t' is tensor<4x2xi64>");
  EXPECT_EQ(after([&](auto &p) { shard(p, 1)->set_index(2); }),
            "p: variable 't/part_2': is the same part as 't/part_1'");
  EXPECT_EQ(after([&](auto &p) { shard(p, 2)->set_interleaved(true); }),
            "p: variable 't/part_2': is split in another way than 't/part_0'");
  EXPECT_EQ(after([&](auto &p) { p.mutable_variables(2)->set_is_slot(true); }),
            "p: variable 't/part_2': is split in another way than 't/part_0'");
  EXPECT_EQ(after([&](auto &p) { p.mutable_variables(2)->clear_shard(); }),
            "p: variable 't': there are 2 of 3 parts");
  EXPECT_EQ(after([&](auto &p) { shard(p, 0)->set_axis(2); }),
            "p: variable 't/part_0': is split along axis 2 of 2");
  EXPECT_EQ(after([&](auto &p) { shard(p, 0)->set_count(14); }),
            "p: variable 't/part_0': is part 0 of 14 of an axis of 13");
  EXPECT_EQ(after([&](auto &p) { shard(p, 2)->set_index(3); }),
            "p: variable 't/part_2': is part 3 of 3 of an axis of 13");
  EXPECT_EQ(after([&](auto &p) { shard(p, 0)->set_whole(""); }),
            "p: variable 't/part_0': is a part of a variable without a name");
  EXPECT_EQ(after([&](auto &p) {
              for (int part : {0, 1, 2})
                shard(p, part)->set_whole("v");
            }),
            "p: variable 'v' is there whole and in parts");
}

} // namespace
} // namespace dtc
