#include "runtime/server/Epoch.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

TEST(EpochTest, NothingReadIsNoEpoch) { EXPECT_EQ(Epoch().steps(), 0); }

// A task that reads two towers' blocks of the rows, and one that reads one.
TEST(EpochTest, BlocksOfOneInputAreTheSameRows) {
  Epoch epoch;
  EXPECT_TRUE(epoch.add("worker:0", {0, 7, 4, 99}).isOk());
  EXPECT_TRUE(epoch.add("worker:0", {0, 7, 4, 99}).isOk());
  EXPECT_TRUE(epoch.add("worker:1", {0, 7, 4, 99}).isOk());
  EXPECT_EQ(epoch.steps(), 7);
  EXPECT_EQ(epoch.dropped(), 4);
}

TEST(EpochTest, TheShortestInputEndsIt) {
  Epoch epoch;
  EXPECT_TRUE(epoch.add("worker:0", {0, 7, 4, 99}).isOk());
  EXPECT_TRUE(epoch.add("worker:1", {1, 5, 2, 11}).isOk());
  EXPECT_EQ(epoch.steps(), 5);
  EXPECT_EQ(epoch.dropped(), 2);
}

TEST(EpochTest, OtherRowsOfOneInputAreRefused) {
  Epoch epoch;
  EXPECT_TRUE(epoch.add("worker:0", {0, 7, 4, 99}).isOk());
  EXPECT_EQ(epoch.add("worker:1", {0, 5, 4, 98}).message(),
            "worker:1 has 5 steps an epoch, worker:0 has 7"
            "\nhelp: give all tasks the same data");
  EXPECT_EQ(epoch.add("worker:1", {0, 7, 4, 98}).message(),
            "worker:1 reads other rows than worker:0"
            "\nhelp: give all tasks the same data");
}

} // namespace
} // namespace dtc
