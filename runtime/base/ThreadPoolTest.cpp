#include "runtime/base/ThreadPool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace dtc {
namespace {

class ThreadPoolTest : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, testing::Values(1, 2, 5));

// Every index of a range is visited exactly once, however it is split.
TEST_P(ThreadPoolTest, ParallelForVisitsEachIndexOnce) {
  ThreadPool pool(GetParam());
  for (int64_t range : {0, 1, 2, 7, 64, 1000, 4097}) {
    for (int64_t grain : {0, 1, 3, 64, 100000}) {
      std::vector<std::atomic<int>> visits(range);
      pool.parallelFor(range, grain, [&](int64_t begin, int64_t end) {
        EXPECT_LT(begin, end);
        for (int64_t i = begin; i < end; ++i)
          ++visits[i];
      });
      for (int64_t i = 0; i < range; ++i)
        ASSERT_EQ(visits[i], 1) << i << " of " << range << " by " << grain;
    }
  }
}

// Pieces are never smaller than the grain, unless the range itself is.
TEST_P(ThreadPoolTest, PiecesAreAtLeastTheGrain) {
  ThreadPool pool(GetParam());
  pool.parallelFor(1003, 50, [&](int64_t begin, int64_t end) {
    EXPECT_GE(end - begin, 50);
  });
}

// A huge range does not overflow the arithmetic of its split.
TEST_P(ThreadPoolTest, SplitsTheLargestRange) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum = 0;
  pool.parallelFor(INT64_MAX, 1,
                   [&](int64_t begin, int64_t end) { sum += end - begin; });
  EXPECT_EQ(sum, INT64_MAX);
}

// parallelFor inside parallelFor, from every thread at once, cannot starve.
TEST_P(ThreadPoolTest, NestedCallsEnd) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> visits = 0;
  pool.parallelFor(16, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      pool.parallelFor(16, 1, [&](int64_t b, int64_t e) {
        pool.parallelFor(
            e - b, 1, [&](int64_t from, int64_t to) { visits += to - from; });
      });
  });
  EXPECT_EQ(visits, 256);
}

// Tasks that call parallelFor run beside foreign callers.
TEST_P(ThreadPoolTest, TasksAndRangesMix) {
  std::atomic<int64_t> visits = 0;
  {
    ThreadPool pool(GetParam());
    auto count = [&] {
      pool.parallelFor(
          100, 1, [&](int64_t begin, int64_t end) { visits += end - begin; });
    };
    for (int i = 0; i < 200; ++i)
      pool.schedule(count);
    for (int i = 0; i < 200; ++i)
      count();
  }
  EXPECT_EQ(visits, 40000);
}

// Ending a pool runs what is queued, and what that schedules.
TEST_P(ThreadPoolTest, DestructorRunsWhatIsQueued) {
  std::atomic<int> ran = 0;
  {
    ThreadPool pool(GetParam());
    for (int i = 0; i < 50; ++i)
      pool.schedule([&] {
        ++ran;
        pool.schedule([&] { ++ran; });
      });
  }
  EXPECT_EQ(ran, 100);
}

// With one thread a range runs on the caller, as one piece.
TEST(ThreadPool, OneThreadMeansTheCaller) {
  ThreadPool pool(1);
  std::set<std::thread::id> ids;
  pool.parallelFor(1000, 1, [&](int64_t begin, int64_t end) {
    ids.insert(std::this_thread::get_id());
    EXPECT_EQ(end - begin, 1000);
  });
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

// With two threads two pieces really run at the same time.
TEST(ThreadPool, PiecesRunInParallel) {
  ThreadPool pool(2);
  std::atomic<int> here = 0;
  std::promise<void> both;
  pool.parallelFor(2, 1, [&](int64_t, int64_t) {
    if (++here == 2)
      both.set_value();
    else
      EXPECT_EQ(both.get_future().wait_for(std::chrono::seconds(20)),
                std::future_status::ready);
  });
}

// schedule() never waits for the task.
TEST(ThreadPool, ScheduleDoesNotBlock) {
  std::promise<void> release;
  ThreadPool pool(1);
  pool.schedule([&] { release.get_future().wait(); });
  pool.schedule([] {});
  release.set_value();
}

} // namespace
} // namespace dtc
