#include "runtime/server/Datasets.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;
namespace fs = std::filesystem;

/// A folder with numbers.csv (0 to 61, one a row) and a plan beside it.
class DatasetsTest : public testing::Test {
protected:
  DatasetsTest()
      : root_(fs::path(testing::TempDir()) /
              ("datasets" + std::to_string(getpid()))) {
    fs::create_directories(root_);
    std::ofstream csv(root_ / "numbers.csv");
    for (int i = 0; i < 62; ++i)
      csv << i % 10 << "\n";
    csv.close();
    load([](proto::Input &) {});
    options_.data["numbers"] = root_ / "numbers.csv";
  }
  ~DatasetsTest() override { fs::remove_all(root_); }

  void load(const std::function<void(proto::Input &)> &change) {
    proto::Plan proto = clusterPlan(1, 2);
    for (proto::Entry &entry : *proto.mutable_entries())
      for (proto::Input &input : *entry.mutable_inputs())
        change(input);
    plan_ = Plan::create(contentsOf(proto), (root_ / "p.plan").string()).take();
  }

  Result<std::unique_ptr<Datasets>> open(TaskId self) {
    return Datasets::open(*plan_, plan_->entry(0), self, options_, 1, tables_);
  }
  std::string messageOf(TaskId self) {
    auto datasets = open(self);
    return datasets.isOk() ? "OK" : datasets.status().message();
  }
  std::vector<float> read(Datasets &datasets, uint64_t step) {
    std::vector<float> x(4);
    std::vector<std::span<std::byte>> columns = {
        std::as_writable_bytes(std::span(x))};
    EXPECT_TRUE(datasets.read(0, step, columns).isOk());
    return x;
  }

  fs::path root_;
  Plan::Ptr plan_;
  RunOptions options_;
  TableCache tables_;
};

// 60 rows, 2 replicas of 4: 7 steps, 4 rows left over.
TEST_F(DatasetsTest, GivesEachReplicaItsBlock) {
  auto first = open({"worker", 0}), second = open({"worker", 1});
  ASSERT_TRUE(first.isOk()) << first.status().toString();
  ASSERT_EQ((*first)->inputs().size(), 1u);
  EXPECT_EQ((*first)->inputs()[0].steps, 7);
  EXPECT_EQ((*first)->inputs()[0].dropped, 4);
  EXPECT_NE(read(**first, 3), read(**second, 3));
  EXPECT_EQ(read(**first, 3), read(**first, 3));
}

TEST_F(DatasetsTest, TasksThatReadNothingOpenNothing) {
  options_.data["numbers"] = "/nonexistent.csv";
  auto datasets = open({"ps", 0});
  ASSERT_TRUE(datasets.isOk());
  EXPECT_TRUE((*datasets)->inputs().empty());
}

// One replica with two blocks reads what two replicas read.
TEST_F(DatasetsTest, BlocksAreNumberedReplicaByReplica) {
  auto second = open({"worker", 1});
  proto::Plan proto = localPlan();
  proto.mutable_entries(0)->mutable_inputs(0)->set_blocks(2);
  proto.mutable_entries(0)->mutable_inputs(0)->set_block(1);
  auto towers = Plan::create(contentsOf(proto), "q").take();
  auto one = Datasets::open(*towers, towers->entry(0), {"local", 0}, options_,
                            1, tables_);
  ASSERT_TRUE(one.isOk()) << one.status().toString();
  EXPECT_EQ((*one)->inputs()[0].steps, 7);
  for (uint64_t step : {0, 5, 9})
    EXPECT_EQ(read(**one, step), read(**second, step));
}

TEST_F(DatasetsTest, FindsTheDefaultPathBesideThePlan) {
  options_.data.clear();
  load([](proto::Input &input) { input.set_default_path("numbers.csv"); });
  EXPECT_EQ(messageOf({"worker", 0}), "OK");
  load([](proto::Input &input) { input.set_default_path("other.csv"); });
  EXPECT_EQ(messageOf({"worker", 0}),
            "data set 'numbers': there is no other.csv and no " +
                (root_ / "other.csv").string() + "\nhelp: --data numbers=PATH");
}

TEST_F(DatasetsTest, SaysHowToBindADataSet) {
  options_.data.clear();
  EXPECT_EQ(messageOf({"worker", 0}),
            "data set 'numbers' is not bound to a file"
            "\nhelp: --data numbers=PATH");
  EXPECT_EQ(checkDatasetNames(*plan_, {{"digits", "x"}}).message(),
            plan_->path() +
                " reads no data set 'digits'\nhelp: it reads numbers");
}

TEST_F(DatasetsTest, NamesTheDataSetOfABadFile) {
  options_.data["numbers"] = root_ / "missing.csv";
  EXPECT_EQ(messageOf({"worker", 0}).find("data set 'numbers': "), 0u);
  load([](proto::Input &input) { input.set_end_row(5000); });
  options_.data["numbers"] = root_ / "numbers.csv";
  EXPECT_EQ(messageOf({"worker", 0}).find("data set 'numbers': "), 0u);
}

// The whole way: an epoch over a file, in one process.
TEST_F(DatasetsTest, AnEpochIsTheDefaultRun) {
  options_.threads = 2;
  auto summary = runInProcess(plan_, options_);
  ASSERT_TRUE(summary.isOk()) << summary.status().toString();
  EXPECT_EQ(summary->steps, 7);
  EXPECT_EQ(summary->droppedExamples, 4);
  options_.epochs = 3;
  int ends = 0;
  options_.progress = [&](const Progress &p) { ends += p.isEndOfEpoch; };
  summary = runInProcess(plan_, options_);
  EXPECT_EQ(summary->steps, 21);
  EXPECT_EQ(summary->droppedExamples, 12);
  EXPECT_EQ(ends, 3);
}

// The graph may say how many epochs a run has.
TEST_F(DatasetsTest, TheGraphSaysHowManyEpochs) {
  proto::Plan proto = clusterPlan(1, 2);
  proto.mutable_entries(0)->set_default_epochs(2);
  auto two = Plan::create(contentsOf(proto), "p").take();
  EXPECT_EQ(runInProcess(two, options_)->steps, 14);
  proto.mutable_entries(0)->set_default_epochs(INT64_MAX);
  auto endless = Plan::create(contentsOf(proto), "p").take();
  EXPECT_EQ(runInProcess(endless, options_).status().message(),
            "9223372036854775807 epochs of 7 steps cannot be run");
}

} // namespace
} // namespace dtc
