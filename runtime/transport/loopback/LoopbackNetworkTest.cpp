// What only loopback promises: tensors reach a receiver that is idle without a
// change of threads, and that changes neither order nor ends.
#include "runtime/transport/loopback/LoopbackNetwork.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <thread>

namespace dtc {
namespace {

const TaskId kPs{"ps", 0}, kWorker{"worker", 0};

/// Does with each tensor what the test says.
struct Handler final : TransportHandler {
  std::function<void(const RendezvousKey &)> onKey = [](auto &) {};

  void onMessage(const TaskId &, std::string) override {}
  void onTensor(const RendezvousKey &key, uint64_t, uint64_t,
                std::span<const std::byte>) override {
    onKey(key);
  }
  void onPeerLost(const TaskId &, Status) override {}
};

struct LoopbackNetworkTest : testing::Test {
  std::promise<void> linked;
  LoopbackNetwork network{{kPs, kWorker}};
  Handler psHandler, workerHandler;
  std::unique_ptr<Transport> ps = network.endpoint(kPs);
  std::unique_ptr<Transport> worker = network.endpoint(kWorker);

  void SetUp() override {
    ASSERT_TRUE(ps->start(psHandler).isOk());
    ASSERT_TRUE(worker->start(workerHandler).isOk());
    worker->connect(kPs, Deadline::after(std::chrono::seconds(20)),
                    [&](Status status) {
                      EXPECT_TRUE(status.isOk());
                      linked.set_value();
                    });
    linked.get_future().wait();
  }
  void send(uint64_t step, Completion done) {
    worker->sendTensor(kPs, {step, 0, kWorker}, {}, std::move(done));
  }
};

// An idle receiver sees the tensor on the thread that sends it, and so does
// the completion.
TEST_F(LoopbackNetworkTest, IdleReceiverIsCalledByTheSender) {
  std::thread::id seenBy, endedBy;
  psHandler.onKey = [&](auto &) { seenBy = std::this_thread::get_id(); };
  send(0, [&](Status) { endedBy = std::this_thread::get_id(); });
  EXPECT_EQ(seenBy, std::this_thread::get_id());
  EXPECT_EQ(endedBy, std::this_thread::get_id());
}

// A receiver that is busy gets the next tensor afterwards, in order.
TEST_F(LoopbackNetworkTest, BusyReceiverIsNotCalledAgain) {
  std::vector<uint64_t> seen;
  std::promise<void> ended;
  psHandler.onKey = [&](const RendezvousKey &key) {
    if (key.step == 0) {
      send(1, [&](Status) { ended.set_value(); });
      EXPECT_TRUE(seen.empty()) << "called from inside a call";
    }
    seen.push_back(key.step);
  };
  send(0, [](Status) {});
  ended.get_future().wait();
  worker->stop(Deadline::after(std::chrono::seconds(20))); // done with `ended`
  EXPECT_EQ(seen, (std::vector<uint64_t>{0, 1}));
}

// When stop() has returned, no sender is in the handler any more.
TEST_F(LoopbackNetworkTest, StopWaitsForASenderInTheHandler) {
  std::promise<void> entered, mayLeave;
  std::atomic<bool> hasLeft = false;
  psHandler.onKey = [&](auto &) {
    entered.set_value();
    mayLeave.get_future().wait();
    hasLeft = true;
  };
  std::jthread sender([&] { send(0, [](Status) {}); });
  entered.get_future().wait();
  std::jthread stopper([&] {
    ps->stop(Deadline::after(std::chrono::seconds(20)));
    EXPECT_TRUE(hasLeft);
  });
  mayLeave.set_value();
}

} // namespace
} // namespace dtc
