// Update async: each worker at its own pace, each push whole, each counted.
#include <condition_variable>
#include <cstring>

#include <gtest/gtest.h>

#include "runtime/server/SessionTest.h"

namespace dtc {
namespace {

using namespace fixtures;
using namespace std::chrono_literals;

Plan::Ptr asyncPlan(int servers, int workers) {
  return planOf(clusterPlan(servers, workers, proto::ASYNC));
}

RunOptions stepsOf(int64_t steps) {
  RunOptions options;
  options.steps = steps;
  options.threads = 3;
  options.rows = someRows;
  options.seed = 3;
  options.keepVariables = true;
  return options;
}

/// A counter on ps:0, read by nobody and raised by 1 for each push; the push is
/// the replica's number.
proto::Plan counterPlan(int workers) {
  proto::Plan plan;
  plan.set_schema_version(planSchemaVersion);
  plan.set_mode(proto::BETWEEN_GRAPH);
  plan.set_update(proto::ASYNC);
  addJob(plan, "ps", 1);
  addJob(plan, "worker", workers);
  addVariable(plan, "count", task("ps", 0));
  plan.mutable_variables(0)->mutable_initializer()->set_fill(0);
  plan.add_objects()->set_target("reference");
  proto::TensorType row = f32({4});
  proto::Kernel *next = addKernel(plan, "next", 1);
  auto *one = addNode(*next, "graph.constant", {}, row);
  (*one->mutable_attributes())["value"].set_data(
      std::string("\0\0\x80\x3f", 4)); // 1.0f
  addNode(*next, "graph.add", {0, 1}, row);
  next->add_results(2);
  *next->add_outputs() = row;

  proto::TensorType number;
  number.set_element(proto::I64);
  proto::Entry &train = *plan.add_entries();
  train.set_name("train");
  train.set_replicas(workers);
  train.set_has_updates(true);
  uint32_t push =
      addEdge(train, "push", number, task("worker", -1), task("ps", 0));
  ActivationBuilder step(*addProgram(train, "worker", -1),
                         proto::Activation::STEP);
  step.send(push, step.replicaIndex());
  proto::Program *ps = addProgram(train, "ps", 0);
  ActivationBuilder serve(*ps, proto::Activation::SERVE);
  serve.accumulate("push", serve.recv(push, number));
  ActivationBuilder apply(*ps, proto::Activation::APPLY);
  apply.take("push", number);
  uint32_t old = apply.load(0, row);
  uint32_t launched = apply.launch(0, {old}, {row})[0];
  uint32_t launch = apply.last();
  apply.store(0, launched);
  apply.after(launch);
  return plan;
}

// A3 ▲, T40: no push is lost, none counted twice.
TEST(Async, EightWorkersTimesAThousandStepsCountEightThousand) {
  RunSummary summary = run(planOf(counterPlan(8)), stepsOf(1000));
  float count[4];
  std::memcpy(count, summary.variables.at("count").bytes.data(), sizeof count);
  for (float each : count)
    EXPECT_EQ(each, 8000);
}

TEST(Async, TrainsAndSaysHowStaleItsPushesWere) {
  for (int servers : {1, 2}) {
    RunSummary summary = run(asyncPlan(servers, 3), stepsOf(200));
    EXPECT_EQ(summary.steps, 200);
    ASSERT_TRUE(summary.staleness);
    EXPECT_EQ(summary.staleness->pushes, uint64_t(servers) * 3 * 200);
    EXPECT_EQ(summary.bytesTotal,
              200 * asyncPlan(servers, 3)
                        ->bytesPerStep(asyncPlan(servers, 3)->entry(0)));
  }
  EXPECT_FALSE(run(planOf(clusterPlan(1, 3)), stepsOf(2)).staleness);
}

// Nobody comes between a lone worker's read and its push.
TEST(Async, OneWorkerGivesTheBitsOfSync) {
  RunSummary async = run(asyncPlan(1, 1), stepsOf(50));
  RunSummary sync = run(planOf(clusterPlan(1, 1)), stepsOf(50));
  EXPECT_EQ(async.variablesSha256, sync.variablesSha256);
  EXPECT_EQ(async.metrics, sync.metrics);
  EXPECT_EQ(async.staleness->max, 0u);
}

// A replay is one device that takes the blocks of the workers in turn.
TEST(Async, AReplayGivesTheBitsOfOneTask) {
  constexpr int64_t steps = 30, workers = 3;
  RunOptions replay = stepsOf(steps);
  replay.replay = true;
  RunSummary sequential;
  {
    RunOptions options = stepsOf(steps * workers);
    options.rows = [](const proto::Input &input, uint64_t step, uint32_t,
                      auto columns) {
      return someRows(input, step / workers, step % workers, columns);
    };
    sequential = run(planOf(localPlan()), options);
  }
  for (int servers : {1, 2}) {
    RunSummary summary = run(asyncPlan(servers, workers), replay);
    EXPECT_EQ(summary.variablesSha256, sequential.variablesSha256);
    EXPECT_EQ(summary.staleness->max, 0u);
  }
}

// A worker that takes its time holds nobody up, however many steps the others
// are ahead, and is waited for at the end.
TEST(Async, ASlowWorkerDoesNotSlowOthersDown) {
  constexpr int64_t steps = 300; // far beyond the window
  std::mutex mutex;
  std::condition_variable changed;
  bool isFastDone = false, wasInTime = false;
  RunOptions options = stepsOf(steps);
  options.rows = [&](const proto::Input &input, uint64_t step, uint32_t replica,
                     auto columns) {
    if (replica == 1 && step == 2) {
      std::unique_lock lock(mutex);
      wasInTime = changed.wait_for(lock, 20s, [&] { return isFastDone; });
    }
    return someRows(input, step, replica, columns);
  };
  options.progress = [&](const Progress &progress) {
    std::lock_guard lock(mutex);
    isFastDone |= progress.step == steps;
    changed.notify_all();
  };
  RunSummary summary = run(asyncPlan(1, 2), options);
  EXPECT_TRUE(wasInTime);
  EXPECT_EQ(summary.staleness->pushes, uint64_t(2 * steps));
  EXPECT_GT(summary.staleness->max, 0u); // the slow one's
}

// Metrics are the chief's own; what others computed can be listened to.
TEST(Async, OutputsAreTheChiefs) {
  std::mutex mutex;
  std::map<uint32_t, std::vector<float>> losses;
  RunOptions options = stepsOf(20);
  options.fetched = [&](uint32_t, uint64_t step, uint32_t replica, auto bytes) {
    std::lock_guard lock(mutex);
    EXPECT_EQ(losses[replica].size(), step);
    losses[replica].resize(step + 1);
    std::memcpy(&losses[replica][step], bytes.data(), 4);
  };
  RunSummary summary = run(asyncPlan(1, 3), options);
  ASSERT_EQ(losses.size(), 3u);
  EXPECT_EQ(summary.metrics.at("loss"), losses[0][19]);
}

TEST(Async, AFailingWorkerEndsTheRun) {
  RunOptions options = stepsOf(1'000'000'000);
  options.rows = [](auto &, uint64_t step, uint32_t replica, auto columns) {
    std::memset(columns[0].data(), 0, 16);
    return replica == 1 && step == 40 ? Status::dataLoss("bad row")
                                      : Status::ok();
  };
  auto result = runInProcess(asyncPlan(2, 3), options);
  EXPECT_EQ(result.status().message(), "worker:1: bad row");
}

/// @train of two servers that need each other to apply: each takes a value of
/// the other's apply, so their pushes must come in one order.
proto::Plan entangledPlan(int workers) {
  proto::Plan plan = clusterPlan(2, workers, proto::ASYNC);
  proto::Entry &train = *plan.mutable_entries(0);
  proto::TensorType row = f32({4});
  uint32_t there = addEdge(train, "there", row, task("ps", 0), task("ps", 1));
  uint32_t back = addEdge(train, "back", row, task("ps", 1), task("ps", 0));
  for (proto::Program &program : *train.mutable_programs()) {
    if (program.task().job() != "ps")
      continue;
    bool isFirst = program.task().index() == 0;
    program.mutable_activations()->RemoveLast();
    uint32_t variable = isFirst ? 0 : 1;
    ActivationBuilder apply(program, proto::Activation::APPLY);
    uint32_t own = apply.take("gradient" + std::to_string(variable), row);
    apply.send(isFirst ? there : back, own);
    uint32_t others = apply.recv(isFirst ? back : there, row);
    uint32_t old = apply.load(variable, row);
    uint32_t once = apply.launch(ApplyKernel, {old, own}, {row})[0];
    uint32_t launch = apply.last();
    uint32_t twice = apply.launch(ApplyKernel, {once, others}, {row})[0];
    apply.store(variable, twice);
    apply.after(launch);
  }
  return plan;
}

TEST(Async, ServersThatNeedEachOtherApplyInOneOrder) {
  RunSummary summary = run(planOf(entangledPlan(4)), stepsOf(300));
  EXPECT_EQ(summary.staleness->pushes, 2u * 4 * 300);
  RunOptions replay = stepsOf(10);
  replay.replay = true;
  EXPECT_EQ(run(planOf(entangledPlan(4)), replay).variablesSha256,
            run(planOf(entangledPlan(4)), replay).variablesSha256);
}

} // namespace
} // namespace dtc
