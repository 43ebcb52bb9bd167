#include "runtime/base/Deadline.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

class FakeClock final : public Clock {
public:
  TimePoint now() const override { return now_; }
  TimePoint now_{};
};

// A deadline passes when its clock, and no other, says so.
TEST(Deadline, PassesByItsClock) {
  FakeClock clock;
  Deadline deadline = Deadline::after(std::chrono::seconds(5), clock);
  EXPECT_FALSE(deadline.hasPassed(clock));
  clock.now_ += std::chrono::seconds(5);
  EXPECT_TRUE(deadline.hasPassed(clock));
}

// An infinite deadline never passes.
TEST(Deadline, InfiniteNeverPasses) {
  EXPECT_TRUE(Deadline::infinite().isInfinite());
  EXPECT_FALSE(Deadline::infinite().hasPassed());
}

// The steady clock does not go back.
TEST(Clock, SteadyIsMonotonic) {
  TimePoint first = Clock::steady().now();
  EXPECT_GE(Clock::steady().now(), first);
}

} // namespace
} // namespace dtc
