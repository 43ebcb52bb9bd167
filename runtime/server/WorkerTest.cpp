#include "runtime/server/Worker.h"

#include <atomic>
#include <future>

#include <gtest/gtest.h>

#include "runtime/device/host/HostDevice.h"
#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;
using namespace std::chrono_literals;

/// The one task of the local plan.
class WorkerTest : public testing::Test {
protected:
  WorkerTest() {
    variables_->initialize(1);
    context_.self = {"local", 0};
    context_.pool = &pool_;
    context_.device = &device_;
    context_.rendezvous = &rendezvous_;
    context_.variables = variables_.get();
    context_.kernels = KernelTable::create(plan_).take();
    context_.readInput = [](uint32_t, uint64_t, auto) { return Status::ok(); };
    context_.writeFetch = [](uint32_t, uint64_t, uint32_t, auto) {};
    worker_ =
        Worker::create(plan_, plan_->entry(0), context_, {.stepTimeout = 20s})
            .take();
  }

  std::future<Status> start(uint64_t steps) {
    worker_->start(
        0, steps,
        {.stepDone = [this](uint32_t, uint64_t step) { done_ = step + 1; },
         .turn = {},
         .ended = [this](Status status) { ended_.set_value(status); }});
    return ended_.get_future();
  }

  HostDevice device_;
  ThreadPool pool_{2};
  Rendezvous rendezvous_;
  Plan::Ptr plan_ = Plan::create(contentsOf(localPlan()), "p").take();
  std::unique_ptr<Variables> variables_ =
      Variables::create(plan_, {"local", 0}, device_).take();
  TaskContext context_;
  std::unique_ptr<Worker> worker_;
  std::atomic<uint64_t> done_ = 0;
  std::promise<Status> ended_;
};

// Nobody runs ahead of the limit; raising it lets the task go on.
TEST_F(WorkerTest, WaitsAtTheLimit) {
  worker_->setLimit(0, 3);
  auto ended = start(5);
  EXPECT_EQ(ended.wait_for(50ms), std::future_status::timeout);
  EXPECT_EQ(done_, 3u);
  worker_->setLimit(0, 5);
  EXPECT_TRUE(ended.get().isOk());
  EXPECT_EQ(done_, 5u);
}

TEST_F(WorkerTest, AnAbortEndsTheWait) {
  worker_->setLimit(0, 1);
  auto ended = start(5);
  EXPECT_EQ(ended.wait_for(50ms), std::future_status::timeout);
  worker_->abort(Status::cancelled("enough"));
  EXPECT_EQ(ended.get().message(), "enough");
}

TEST_F(WorkerTest, TheFirstErrorEndsTheSteps) {
  context_.readInput = [](uint32_t, uint64_t step, auto) {
    return step == 2 ? Status::dataLoss("bad") : Status::ok();
  };
  worker_->setLimit(0, 10);
  EXPECT_EQ(start(5).get().message(), "bad");
  EXPECT_EQ(done_, 2u);
}

// A task without a part in the entry is done at once.
TEST_F(WorkerTest, ATaskWithoutAPartIsDone) {
  context_.self = {"elsewhere", 0};
  worker_ =
      Worker::create(plan_, plan_->entry(0), context_, {.stepTimeout = 20s})
          .take();
  EXPECT_FALSE(worker_->hasWork());
  EXPECT_TRUE(start(5).get().isOk());
}

} // namespace
} // namespace dtc
