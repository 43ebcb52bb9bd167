#include "runtime/executor/Executor.h"

#include <cstring>
#include <future>

#include <gtest/gtest.h>

#include "runtime/base/BFloat16.h"
#include "runtime/device/host/HostDevice.h"
#include "runtime/plan/PlanFixtures.h"

namespace dtc {
namespace {

using namespace fixtures;
using namespace std::chrono_literals;

/// Remembers what is sent; hands it over when told to.
class FakeTransport final : public Transport {
public:
  struct Sent {
    TaskId peer;
    RendezvousKey key;
    std::vector<std::byte> bytes;
    Completion done;
  };
  const TaskId &self() const override { return self_; }
  Status start(TransportHandler &) override { return Status::ok(); }
  void connect(const TaskId &, Deadline, Completion) override {}
  Status sendMessage(const TaskId &, std::string) override {
    return Status::ok();
  }
  void sendTensor(const TaskId &peer, const RendezvousKey &key,
                  std::span<const std::byte> bytes, Completion done) override {
    std::lock_guard lock(mutex);
    sent.push_back({peer, key, {bytes.begin(), bytes.end()}, std::move(done)});
  }
  std::map<TaskId, uint64_t> tensorBytesSent() const override { return {}; }
  void stop(Deadline) override {}

  std::mutex mutex;
  std::vector<Sent> sent;

private:
  TaskId self_{"worker", 1};
};

class ExecutorTest : public testing::Test {
protected:
  ExecutorTest() { load(clusterPlan(1, 2), {"worker", 1}); }

  void load(proto::Plan proto, TaskId self) {
    plan = Plan::create(contentsOf(std::move(proto)), "p").take();
    context.accumulators.clear();
    variables = Variables::create(plan, self, device).take();
    variables->initialize(1);
    context.self = self;
    context.pool = &pool;
    context.device = &device;
    context.rendezvous = &rendezvous;
    context.transport = &transport;
    context.variables = variables.get();
    context.kernels = KernelTable::create(plan).take();
    context.readInput = [](uint32_t, uint64_t step, auto columns) {
      std::vector<float> x(4, float(step + 1));
      std::memcpy(columns[0].data(), x.data(), 16);
      return Status::ok();
    };
    context.writeFetch = [this](uint32_t, uint64_t, uint32_t, auto bytes) {
      fetched.resize(bytes.size() / 4);
      std::memcpy(fetched.data(), bytes.data(), bytes.size());
    };
  }

  std::unique_ptr<Executor> make(int entry, int program, int activation) {
    const proto::Entry &e = plan->entry(entry);
    return Executor::create(
               plan, e, e.programs(program).activations(activation), context)
        .take();
  }

  Status run(Executor &executor, Executor::Run run = {}) {
    std::promise<Status> done;
    executor.start(run, [&](Status status) { done.set_value(status); });
    return done.get_future().get();
  }

  void deliver(uint32_t edge, TaskId from, std::vector<float> value,
               uint64_t step = 0) {
    rendezvous.deliver({step, edge, from}, value.size() * 4, 0,
                       std::as_bytes(std::span(value)));
  }

  HostDevice device;
  ThreadPool pool{2};
  Rendezvous rendezvous;
  FakeTransport transport;
  Plan::Ptr plan;
  std::unique_ptr<Variables> variables;
  TaskContext context;
  std::vector<float> fetched;
};

// A worker's step: no thread waits for the variables; when they are here, the
// gradients leave.
TEST_F(ExecutorTest, RunsAsTensorsArrive) {
  auto step = make(0, 0, 0);
  std::promise<Status> done;
  step->start(
      {.step = 0, .peer = {"worker", 1}, .recvDeadline = Deadline::after(20s)},
      [&](Status status) { done.set_value(status); });
  auto future = done.get_future();
  deliver(1, {"ps", 0}, {1, 2, 3, 4});
  EXPECT_EQ(future.wait_for(20ms), std::future_status::timeout);
  deliver(0, {"ps", 0}, {1, 1, 1, 1});
  while (true) {
    std::lock_guard lock(transport.mutex);
    if (transport.sent.size() == 3)
      break;
  }
  // The run holds its bytes until the wire has them.
  EXPECT_EQ(future.wait_for(20ms), std::future_status::timeout);
  for (auto &sent : transport.sent)
    sent.done(Status::ok());
  EXPECT_TRUE(future.get().isOk());
  EXPECT_EQ(transport.sent[0].peer, (TaskId{"ps", 0}));
  EXPECT_EQ(transport.sent[0].key, (RendezvousKey{0, 2, {"worker", 1}}));
  EXPECT_EQ(transport.sent[2].peer, (TaskId{"worker", 0})); // the loss
}

// What a task sends to itself never sees the transport.
TEST_F(ExecutorTest, HandsOverLocallyWhatStaysOnTheTask) {
  load(clusterPlan(1, 2), {"worker", 0});
  auto step = make(0, 0, 0), serve = make(0, 3, 0);
  deliver(0, {"ps", 0}, {1, 1, 1, 1});
  deliver(1, {"ps", 0}, {1, 2, 3, 4});
  std::promise<Status> served;
  serve->start({.replica = 0,
                .peer = {"worker", 0},
                .recvDeadline = Deadline::after(20s)},
               [&](Status status) { served.set_value(status); });
  std::promise<Status> done;
  step->start({.peer = {"worker", 0}},
              [&](Status status) { done.set_value(status); });
  EXPECT_TRUE(served.get_future().get().isOk());
  EXPECT_EQ(transport.sent.size(), 2u);
  for (auto &sent : transport.sent)
    sent.done(Status::ok());
  EXPECT_TRUE(done.get_future().get().isOk());
}

// Local training, with one thread and with more: the same bits.
TEST_F(ExecutorTest, TrainsLocally) {
  std::vector<std::vector<std::byte>> results;
  for (int i = 0; i < 2; ++i) {
    load(localPlan(), {"local", 0});
    auto step = make(0, 0, 0);
    for (uint64_t s = 0; s < 5; ++s)
      ASSERT_TRUE(run(*step, {.step = s}).isOk());
    auto bytes = variables->bytes(1);
    results.emplace_back(bytes.begin(), bytes.end());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(fetched.size(), 1u);
}

// Serve activations of several replicas run at once, each in its own arena.
TEST_F(ExecutorTest, RunsOverlapForSeveralReplicas) {
  load(clusterPlan(1, 2), {"ps", 0});
  auto serve = make(0, 1, 0), apply = make(0, 1, 1);
  std::promise<Status> done[2];
  for (uint32_t r : {0, 1})
    serve->start({.replica = r,
                  .peer = {"worker", int(r)},
                  .recvDeadline = Deadline::after(20s)},
                 [&done, r](Status status) { done[r].set_value(status); });
  for (auto &sent : transport.sent)
    sent.done(Status::ok());
  float before[4], after[4];
  std::memcpy(before, variables->bytes(0).data(), 16);
  deliver(2, {"worker", 1}, {16, 16, 16, 16});
  deliver(2, {"worker", 0}, {0, 0, 0, 0});
  EXPECT_TRUE(done[0].get_future().get().isOk());
  EXPECT_TRUE(done[1].get_future().get().isOk());
  EXPECT_TRUE(run(*apply).isOk());
  std::memcpy(after, variables->bytes(0).data(), 16);
  EXPECT_FLOAT_EQ(after[0], before[0] - 1); // mean 8, learning rate 1/8
}

/// What bf16 keeps of the values.
std::vector<float> rounded(std::vector<float> values) {
  for (float &value : values)
    value = bfloatToFloat(floatToBFloat(value));
  return values;
}

/// The values of packed bf16 elements.
std::vector<float> unpacked(std::span<const std::byte> packed) {
  std::vector<float> values(packed.size() / 2);
  std::span<std::byte> bytes = std::as_writable_bytes(std::span(values));
  std::copy(packed.begin(), packed.end(), packedPart(bytes).begin());
  unpackBFloats(bytes);
  return values;
}

// G7: what leaves the task is rounded, once, where it is sent; and what comes
// is what the sender rounded.
TEST_F(ExecutorTest, PacksWhatItSendsAndUnpacksWhatComes) {
  std::vector<float> v = {1.01f, -2.003f, 3e-39f, 4}, w = {1, 0.3f, 7, -1};
  auto step = [&](bool isNarrow, const std::vector<float> &v,
                  const std::vector<float> &w) {
    proto::Plan whole = clusterPlan(1, 2);
    load(isNarrow ? withNarrowWire(whole) : whole, {"worker", 1});
    transport.sent.clear();
    auto executor = make(0, 0, 0);
    for (uint32_t edge : {0, 1}) {
      std::vector<std::byte> packed(8);
      packBFloats(std::as_bytes(std::span(edge ? w : v)), packed);
      if (isNarrow)
        rendezvous.deliver({0, edge, {"ps", 0}}, 8, 0, packed);
      else
        deliver(edge, {"ps", 0}, edge ? w : v);
    }
    std::promise<Status> done;
    executor->start({.peer = {"worker", 1}},
                    [&](Status status) { done.set_value(status); });
    while (true) {
      std::lock_guard lock(transport.mutex);
      if (transport.sent.size() == 3)
        break;
    }
    for (auto &sent : transport.sent)
      sent.done(Status::ok());
    EXPECT_TRUE(done.get_future().get().isOk());
    return transport.sent;
  };
  auto exact = step(false, rounded(v), rounded(w)), narrow = step(true, v, w);
  for (size_t i = 0; i < 3; ++i) {
    std::vector<float> values(exact[i].bytes.size() / 4);
    std::memcpy(values.data(), exact[i].bytes.data(), exact[i].bytes.size());
    EXPECT_EQ(unpacked(narrow[i].bytes), rounded(values)) << "send " << i;
  }
}

// G7: never inside one place. The worker on the chief hands its loss over as it
// is, though the edge is narrow for the others.
TEST_F(ExecutorTest, RoundsNothingThatStaysOnTheTask) {
  proto::Plan narrow = withNarrowWire(clusterPlan(1, 2));
  load(narrow, {"worker", 0});
  auto step = make(0, 0, 0);
  std::vector<std::byte> packed(8);
  packBFloats(std::as_bytes(std::span<const float>({1, 2, 3, 4})), packed);
  for (uint32_t edge : {0, 1})
    rendezvous.deliver({0, edge, {"ps", 0}}, 8, 0, packed);
  std::promise<Status> done;
  step->start({.peer = {"worker", 0}},
              [&](Status status) { done.set_value(status); });
  std::vector<std::byte> loss(4);
  std::promise<Status> came;
  rendezvous.recv({0, 4, {"worker", 0}}, loss, Deadline::after(20s),
                  [&](Status status) { came.set_value(status); });
  EXPECT_TRUE(came.get_future().get().isOk()) << "all 4 bytes of it";
  while (true) {
    std::lock_guard lock(transport.mutex);
    if (transport.sent.size() == 2)
      break;
  }
  for (auto &sent : transport.sent) {
    EXPECT_EQ(sent.bytes.size(), 8u);
    sent.done(Status::ok());
  }
  EXPECT_TRUE(done.get_future().get().isOk());
}

// The room in which a step packs is counted, and none is made later.
TEST_F(ExecutorTest, CountsTheRoomForPacking) {
  load(withNarrowWire(clusterPlan(1, 2)), {"worker", 1});
  const proto::Activation &step = plan->entry(0).programs(0).activations(0);
  auto executor = make(0, 0, 0);
  ASSERT_TRUE(executor->reserve(2).isOk());
  EXPECT_EQ(executor->arenaBytes(), 2 * (step.arena_bytes() + 3 * 64));
}

// What a task holds is told by its plan: an arena for each run, and none more
// when runs follow one another.
TEST_F(ExecutorTest, ReservesAnArenaForEachRun) {
  load(localPlan(), {"local", 0});
  uint64_t one = plan->entry(0).programs(0).activations(0).arena_bytes();
  auto step = make(0, 0, 0);
  EXPECT_EQ(step->arenaBytes(), 0u);
  ASSERT_TRUE(step->reserve(2).isOk());
  EXPECT_EQ(step->arenaBytes(), 2 * one);
  for (uint64_t s = 0; s < 3; ++s)
    ASSERT_TRUE(run(*step, {.step = s}).isOk());
  EXPECT_EQ(step->arenaBytes(), 2 * one);
}

// A parameter server's text is one for all replicas; each run knows its own.
TEST_F(ExecutorTest, ARunKnowsItsReplica) {
  proto::Plan numbers = clusterPlan(1, 2);
  proto::Entry &train = *numbers.mutable_entries(0);
  proto::TensorType count;
  count.set_element(proto::I64);
  uint32_t edge =
      addEdge(train, "number", count, task("ps", 0), task("worker", -1));
  ActivationBuilder serve(*addProgram(train, "ps", 0),
                          proto::Activation::SERVE);
  serve.send(edge, serve.replicaIndex());
  ActivationBuilder step(*addProgram(train, "worker", -1),
                         proto::Activation::STEP);
  step.recv(edge, count);
  load(numbers, {"ps", 0});
  auto executor = make(0, 4, 0);
  for (uint32_t replica : {1, 0}) {
    std::promise<Status> done;
    executor->start({.replica = replica, .peer = {"worker", int(replica)}},
                    [&](Status status) { done.set_value(status); });
    ASSERT_EQ(transport.sent.size(), 1u);
    int64_t number = -1;
    ASSERT_EQ(transport.sent[0].bytes.size(), sizeof number);
    std::memcpy(&number, transport.sent[0].bytes.data(), sizeof number);
    EXPECT_EQ(number, replica);
    transport.sent[0].done(Status::ok());
    EXPECT_TRUE(done.get_future().get().isOk());
    transport.sent.clear();
  }
}

// Rows of all replicas lie in the replicas' order, whoever came first.
TEST_F(ExecutorTest, TakesTheRowsOfAllReplicas) {
  proto::Plan rows = clusterPlan(1, 2);
  proto::Entry &train = *rows.mutable_entries(0);
  train.add_fetches()->set_name("rows");
  *train.mutable_fetches(1)->mutable_type() = f32({8});
  uint32_t edge =
      addEdge(train, "rows", f32({4}), task("worker", -1), task("worker", 0));
  ActivationBuilder step(*addProgram(train, "worker", -1),
                         proto::Activation::STEP);
  step.send(edge, step.readInput(0, f32({4})));
  proto::Program &chief = *addProgram(train, "worker", 0);
  ActivationBuilder serve(chief, proto::Activation::SERVE);
  serve.accumulate("rows", serve.recv(edge, f32({4})));
  ActivationBuilder apply(chief, proto::Activation::APPLY);
  apply.writeFetch(1, apply.take("rows", f32({8}), /*concat=*/true));
  load(rows, {"worker", 0});
  auto served = make(0, 5, 0), applied = make(0, 5, 1);
  for (uint32_t replica : {1, 0}) {
    deliver(edge, {"worker", int(replica)},
            std::vector<float>(4, float(replica + 1)));
    ASSERT_TRUE(
        run(*served, {.replica = replica, .peer = {"worker", int(replica)}})
            .isOk());
  }
  ASSERT_TRUE(run(*applied).isOk());
  EXPECT_EQ(fetched, (std::vector<float>{1, 1, 1, 1, 2, 2, 2, 2}));
}

// A receive that nothing answers ends at its deadline and names its edge.
TEST_F(ExecutorTest, AReceiveEndsAtItsDeadline) {
  auto step = make(0, 0, 0);
  Status status = run(
      *step, {.peer = {"worker", 1}, .recvDeadline = Deadline::after(10ms)});
  EXPECT_EQ(status.code(), StatusCode::DeadlineExceeded);
  EXPECT_EQ(status.message().find("edge 'v' (fixture.mlir:1:1): waited "), 0u)
      << status.message();
}

// A value of another size than the plan's is an error that names the edge.
TEST_F(ExecutorTest, RefusesAValueOfAnotherSize) {
  deliver(0, {"ps", 0}, {1, 2, 3});
  auto step = make(0, 0, 0);
  Status status =
      run(*step, {.peer = {"worker", 1}, .recvDeadline = Deadline::after(20s)});
  EXPECT_EQ(status.code(), StatusCode::DataLoss);
  EXPECT_EQ(status.message().find("edge 'v' (fixture.mlir:1:1): "), 0u)
      << status.message();
}

// The first error ends the run, and is what the task is told of.
TEST_F(ExecutorTest, TheFirstErrorWins) {
  std::string told;
  context.failed = [&](const Status &status) { told = status.message(); };
  context.readInput = [](uint32_t, uint64_t, auto) {
    return Status::dataLoss("numbers.csv:7: bad row");
  };
  auto step = make(0, 0, 0);
  Status status =
      run(*step, {.peer = {"worker", 1}, .recvDeadline = Deadline::after(20s)});
  EXPECT_EQ(status.message(), "numbers.csv:7: bad row");
  EXPECT_EQ(told, "numbers.csv:7: bad row");
  EXPECT_EQ(rendezvous.status().message(), "numbers.csv:7: bad row");
}

// An abort from outside is passed on as it is: all tasks end with one text.
TEST_F(ExecutorTest, AnAbortEndsARunUnchanged) {
  auto step = make(0, 0, 0);
  std::promise<Status> done;
  step->start({.peer = {"worker", 1}},
              [&](Status status) { done.set_value(status); });
  rendezvous.abort(Status::unavailable("lost ps:0"));
  EXPECT_EQ(done.get_future().get().message(), "lost ps:0");
}

TEST_F(ExecutorTest, SaysWhatThereIsNoMemoryFor) {
  HostDevice small("cpu:0", 64);
  context.device = &small;
  auto step = make(0, 0, 0);
  Status status = run(*step);
  EXPECT_EQ(status.code(), StatusCode::ResourceExhausted);
  EXPECT_EQ(status.message().find("entry 'train': the step activation: "), 0u)
      << status.message();
}

// `dtc verify` listens to every tensor that is sent, local ones included.
TEST_F(ExecutorTest, TheTapHearsEverySend) {
  std::vector<uint32_t> heard;
  context.tap = [&](const SentTensor &sent) { heard.push_back(sent.edge); };
  load(clusterPlan(1, 2), {"worker", 0});
  ThreadPool one(1);
  context.pool = &one;
  auto step = make(0, 0, 0);
  deliver(0, {"ps", 0}, {1, 1, 1, 1});
  deliver(1, {"ps", 0}, {1, 2, 3, 4});
  std::promise<Status> done;
  step->start({.peer = {"worker", 0}},
              [&](Status status) { done.set_value(status); });
  EXPECT_EQ(heard, (std::vector<uint32_t>{2, 3, 4}));
  for (auto &sent : transport.sent)
    sent.done(Status::ok());
  done.get_future().wait();
}

} // namespace
} // namespace dtc
