#include "runtime/base/Timer.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace dtc {
namespace {

using std::chrono::milliseconds;

TimePoint in(milliseconds delay) { return Clock::steady().now() + delay; }

// Functions run in the order of their moments, not of their arrival.
TEST(Timer, RunsInOrderOfMoments) {
  std::vector<int> order;
  std::promise<void> done;
  Timer timer;
  timer.at(in(milliseconds(30)), [&] {
    order.push_back(2);
    done.set_value();
  });
  timer.at(in(milliseconds(10)), [&] { order.push_back(1); });
  timer.post([&] { order.push_back(0); });
  ASSERT_EQ(done.get_future().wait_for(std::chrono::seconds(10)),
            std::future_status::ready);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

// No function runs before its moment.
TEST(Timer, IsNeverEarly) {
  std::promise<TimePoint> ran;
  Timer timer;
  TimePoint when = in(milliseconds(20));
  timer.at(when, [&] { ran.set_value(Clock::steady().now()); });
  EXPECT_GE(ran.get_future().get(), when);
}

// What was cancelled in time does not run, and cancel says whether it was.
TEST(Timer, CancelSaysWhetherItCameInTime) {
  std::promise<void> done;
  Timer timer;
  Timer::Id dropped =
      timer.at(in(std::chrono::hours(1)), [] { FAIL() << "was cancelled"; });
  EXPECT_TRUE(timer.cancel(dropped));
  EXPECT_FALSE(timer.cancel(dropped));
  Timer::Id ran = timer.post([&] { done.set_value(); });
  done.get_future().wait();
  EXPECT_FALSE(timer.cancel(ran));
}

// A function may set the next one: how retries with back-off are made.
TEST(Timer, FunctionsMaySetOthers) {
  std::promise<void> done;
  Timer timer;
  timer.post([&] { timer.post([&] { done.set_value(); }); });
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(10)),
            std::future_status::ready);
}

// Ending a timer does not wait for moments that have not come.
TEST(Timer, EndsWithEntriesLeft) {
  auto held = std::make_shared<int>(1);
  {
    Timer timer;
    timer.at(in(std::chrono::hours(1)), [held] {});
    timer.at(TimePoint::max(), [held] {});
  }
  EXPECT_EQ(held.use_count(), 1);
}

} // namespace
} // namespace dtc
