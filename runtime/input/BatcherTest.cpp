#include "runtime/input/Batcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace dtc {
namespace {

/// Row r has the fields 10 r, 10 r + 1, and r.
std::shared_ptr<const Table> tableOf(int64_t rows) {
  std::vector<double> values;
  for (int64_t r = 0; r < rows; ++r)
    values.insert(values.end(), {10.0 * r, 10.0 * r + 1, double(r)});
  return std::make_shared<Table>("a.csv", rows, 3, std::move(values), true);
}

BatchSpec specOf(int64_t batch, int64_t replicas) {
  BatchSpec spec;
  spec.batch = batch;
  spec.replicas = replicas;
  spec.columns = {{"x", 0, 2, ElementType::F32, 0.5, 0, 1000},
                  {"y", 2, 1, ElementType::I64, 1, 0, 100}};
  return spec;
}

struct Block {
  std::vector<float> x;
  std::vector<int64_t> y;
};

Block blockOf(const Batcher &batcher, uint64_t step, int64_t replica) {
  Block block;
  block.x.resize(batcher.blockBytes(0) / 4);
  block.y.resize(batcher.blockBytes(1) / 8);
  std::span<std::byte> buffers[] = {std::as_writable_bytes(std::span(block.x)),
                                    std::as_writable_bytes(std::span(block.y))};
  Status status = batcher.fill(step, replica, buffers);
  EXPECT_TRUE(status.isOk()) << status.toString();
  return block;
}

std::string errorOf(int64_t rows, BatchSpec spec) {
  return Batcher::create(tableOf(rows), std::move(spec)).status().toString();
}

// Replica i of a step gets its i-th block; columns are cut and scaled.
TEST(Batcher, GivesBlocksByReplica) {
  auto batcher = Batcher::create(tableOf(10), specOf(2, 2)).take();
  EXPECT_EQ(batcher->stepsPerEpoch(), 2);
  EXPECT_EQ(batcher->droppedPerEpoch(), 2);
  Block block = blockOf(*batcher, 1, 1); // rows 6 and 7
  EXPECT_EQ(block.x, (std::vector<float>{30, 30.5, 35, 35.5}));
  EXPECT_EQ(block.y, (std::vector<int64_t>{6, 7}));
  EXPECT_EQ(blockOf(*batcher, 2, 0).y, (std::vector<int64_t>{0, 1}));
}

// A row range is a data set of its own.
TEST(Batcher, KeepsToItsRows) {
  BatchSpec spec = specOf(3, 1);
  spec.firstRow = 4;
  spec.endRow = 7;
  spec.shuffle = true;
  auto batcher = Batcher::create(tableOf(10), spec).take();
  for (uint64_t step = 0; step < 5; ++step) {
    Block block = blockOf(*batcher, step, 0);
    EXPECT_EQ(std::set<int64_t>(block.y.begin(), block.y.end()),
              (std::set<int64_t>{4, 5, 6}));
  }
}

// Two replicas of B see the rows of one replica of 2 B, in the same order: so
// results do not depend on how a step is split.
TEST(Batcher, BlocksMakeTheSameStep) {
  BatchSpec one = specOf(8, 1), two = specOf(4, 2);
  one.shuffle = two.shuffle = true;
  one.seed = two.seed = 5;
  auto whole = Batcher::create(tableOf(50), one).take();
  auto halves = Batcher::create(tableOf(50), two).take();
  for (uint64_t step = 0; step < 20; ++step) {
    std::vector<int64_t> joined = blockOf(*halves, step, 0).y;
    auto second = blockOf(*halves, step, 1).y;
    joined.insert(joined.end(), second.begin(), second.end());
    EXPECT_EQ(joined, blockOf(*whole, step, 0).y);
  }
}

// Within an epoch no row comes twice; the next epoch has another order.
TEST(Batcher, EpochsVisitRowsOnce) {
  BatchSpec spec = specOf(5, 2);
  spec.shuffle = true;
  auto batcher = Batcher::create(tableOf(20), spec).take();
  std::vector<int64_t> epochs[2];
  for (uint64_t step = 0; step < 4; ++step)
    for (int64_t replica = 0; replica < 2; ++replica)
      for (int64_t y : blockOf(*batcher, step, replica).y)
        epochs[step / 2].push_back(y);
  EXPECT_NE(epochs[0], epochs[1]);
  for (auto &epoch : epochs)
    EXPECT_EQ(std::set<int64_t>(epoch.begin(), epoch.end()).size(), 20u);
}

// A data set too small for one step says so, with all numbers.
TEST(Batcher, TooFewRowsForAStep) {
  EXPECT_EQ(errorOf(50, specOf(32, 2)),
            "OUT_OF_RANGE: a.csv: a step takes 2 x 32 = 64 rows, rows 0 to 50 "
            "are only 50; make the batch smaller");
}

// Rows and fields that the table does not have are named.
TEST(Batcher, ReachesOutsideOfTheTable) {
  BatchSpec rows = specOf(1, 1), fields = specOf(1, 1), batch = specOf(0, 1);
  rows.endRow = 11;
  fields.columns[1].firstField = 3;
  EXPECT_EQ(errorOf(10, rows),
            "OUT_OF_RANGE: a.csv: rows 0 to 11 are wanted, it has 10");
  EXPECT_EQ(errorOf(10, fields), "OUT_OF_RANGE: a.csv: column 'y' is 1 fields "
                                 "from field 3 on, a row has 3");
  EXPECT_EQ(errorOf(10, batch),
            "INVALID_ARGUMENT: a.csv: a batch of 0 for 1 replicas is no batch");
}

// A field outside of its column's range is named by file, line and field.
TEST(Batcher, FieldsOutsideOfTheirRange) {
  BatchSpec spec = specOf(1, 1);
  spec.columns[1].max = 6;
  EXPECT_EQ(errorOf(10, spec), "INVALID_ARGUMENT: a.csv:8:3: 7 is not in [0, "
                               "6], the range of 'y'");
  spec.endRow = 7; // rows that are not read are not checked
  EXPECT_EQ(errorOf(10, spec), "OK");
}

// A field that its element type cannot hold is named too.
TEST(Batcher, FieldsThatTheTypeCannotHold) {
  BatchSpec spec = specOf(1, 1);
  spec.columns[0].type = ElementType::I32;
  EXPECT_EQ(errorOf(10, spec), "INVALID_ARGUMENT: a.csv:1:2: 0.5 is no i32, "
                               "the type of 'x'");
}

// Buffers of another size, and replicas that are none, are refused.
TEST(Batcher, WrongBuffersAreRefused) {
  auto batcher = Batcher::create(tableOf(10), specOf(2, 2)).take();
  std::byte bytes[16];
  std::span<std::byte> buffers[] = {std::span(bytes), std::span(bytes, 8)};
  EXPECT_EQ(batcher->fill(0, 0, buffers).toString(),
            "INVALID_ARGUMENT: a.csv: column 'y' of a block has 16 bytes, the "
            "buffer 8");
  EXPECT_EQ(batcher->fill(0, 2, buffers).toString(),
            "INVALID_ARGUMENT: a.csv: replica 2 wants 2 columns; there are 2 "
            "replicas and 2 columns");
}

} // namespace
} // namespace dtc
