#include "runtime/server/ApplyQueue.h"

#include <string>

#include <gtest/gtest.h>

namespace dtc {
namespace {

class ApplyQueueTest : public testing::Test {
protected:
  ApplyQueue::Begin begin() {
    return [this](uint32_t replica) {
      begun_ += std::to_string(replica);
      return replica != gone_;
    };
  }
  std::string begun_;
  uint32_t gone_ = 9;
};

TEST_F(ApplyQueueTest, AppliesOneByOneInTheOrderOfArrival) {
  ApplyQueue queue(ApplyQueue::OfArrival, begin());
  std::string told;
  queue.whole(2, [&] { told += "2"; });
  queue.whole(0, [&] { told += "0"; });
  queue.whole(1);
  EXPECT_EQ(begun_, "2");
  EXPECT_EQ(told, "20"); // at once, whoever is being applied
  queue.applied();
  EXPECT_EQ(begun_, "20");
  queue.applied();
  EXPECT_EQ(begun_, "201");
}

// What came first has to wait for its turn, and a turn for what is to come.
TEST_F(ApplyQueueTest, FollowsTheTurns) {
  ApplyQueue queue(ApplyQueue::OfTurns, begin());
  queue.whole(0);
  EXPECT_EQ(begun_, "");
  queue.turn(1);
  queue.turn(0);
  EXPECT_EQ(begun_, "");
  queue.whole(1);
  EXPECT_EQ(begun_, "1");
  queue.applied();
  EXPECT_EQ(begun_, "10");
}

// A step that was aborted holds nobody up.
TEST_F(ApplyQueueTest, PassesOverWhatDidNotBegin) {
  ApplyQueue queue(ApplyQueue::OfArrival, begin());
  gone_ = 1;
  queue.whole(1);
  queue.whole(2);
  EXPECT_EQ(begun_, "12");
}

} // namespace
} // namespace dtc
