#include "runtime/executor/UpdateGate.h"

#include <string>

#include <gtest/gtest.h>

namespace dtc {
namespace {

class UpdateGateTest : public testing::Test {
protected:
  bool read(char name) {
    return gate_.enterToRead([this, name] { entered_ += name; });
  }
  bool update(char name) {
    return gate_.enterToUpdate([this, name] { entered_ += name; });
  }
  UpdateGate gate_{2};
  std::string entered_; // those that had to wait
};

TEST_F(UpdateGateTest, AnUpdateIsAlone) {
  EXPECT_TRUE(update('u'));
  EXPECT_FALSE(read('a'));
  EXPECT_FALSE(update('v'));
  EXPECT_EQ(entered_, "");
  gate_.leaveUpdate();
  EXPECT_EQ(entered_, "a");
  gate_.leaveRead();
  EXPECT_EQ(entered_, "av");
}

TEST_F(UpdateGateTest, ReadersShareIt) {
  EXPECT_TRUE(read('a'));
  EXPECT_TRUE(read('b'));
  EXPECT_FALSE(update('u'));
  gate_.leaveRead();
  EXPECT_EQ(entered_, "");
  gate_.leaveRead();
  EXPECT_EQ(entered_, "u");
}

// A stream of readers does not keep an update out.
TEST_F(UpdateGateTest, WhoAsksLaterComesLater) {
  EXPECT_TRUE(read('a'));
  EXPECT_FALSE(update('u'));
  EXPECT_FALSE(read('b'));
  EXPECT_FALSE(read('c'));
  gate_.leaveRead();
  EXPECT_EQ(entered_, "u");
  gate_.leaveUpdate();
  EXPECT_EQ(entered_, "ubc");
}

TEST_F(UpdateGateTest, CountsThePushesBetweenAReadAndItsPush) {
  auto push = [&](uint32_t replica) {
    ASSERT_TRUE(update('u'));
    gate_.notePush(replica);
    gate_.leaveUpdate();
  };
  gate_.noteRead(0);
  gate_.noteRead(1);
  push(0); // nobody came between
  push(1); // replica 0 did
  gate_.noteRead(0);
  push(0);
  EXPECT_EQ(gate_.staleness().pushes, 3u);
  EXPECT_EQ(gate_.staleness().max, 1u);
  EXPECT_DOUBLE_EQ(gate_.staleness().mean(), 1.0 / 3);
}

// A task that gives a replica nothing to read measures nothing.
TEST_F(UpdateGateTest, APushWithoutAReadIsNotCounted) {
  ASSERT_TRUE(update('u'));
  gate_.notePush(1);
  gate_.leaveUpdate();
  EXPECT_EQ(gate_.staleness().pushes, 0u);
  EXPECT_EQ(gate_.staleness().mean(), 0);
}

} // namespace
} // namespace dtc
