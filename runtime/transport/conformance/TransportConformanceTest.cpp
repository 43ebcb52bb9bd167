// What every transport does. A new transport adds itself to the list at the
// end.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/transport/conformance/Cluster.h"

namespace dtc::test {
namespace {

const TaskId kPs{"ps", 0}, kWorker0{"worker", 0}, kWorker1{"worker", 1};

std::string pattern(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<char>(i * 31 + (i >> 12));
  return bytes;
}

std::span<const std::byte> bytesOf(const std::string &text) {
  return std::as_bytes(std::span(text));
}

class TransportConformance : public testing::TestWithParam<ClusterCase> {
protected:
  struct Node {
    Recorder recorder; // outlives the transport
    std::unique_ptr<Transport> transport;
    Transport *operator->() { return transport.get(); }
  };

  void TearDown() override {
    for (Node *node : {&ps_, &worker0_, &worker1_}) {
      node->transport = nullptr;
      EXPECT_EQ(node->recorder.complaint(), "");
    }
  }

  void start(Node &node, const TaskId &task) {
    node.transport = cluster_->make(task);
    Status status = node->start(node.recorder);
    ASSERT_TRUE(status.isOk()) << status.toString();
  }
  void link(Node &from, Node &to) {
    Outcome outcome;
    from->connect(to->self(), soon(), outcome.completion());
    Status status = outcome.wait();
    ASSERT_TRUE(status.isOk()) << status.toString();
  }
  /// ps:0 and worker:0, linked.
  void startPair() {
    start(ps_, kPs);
    start(worker0_, kWorker0);
    link(worker0_, ps_);
  }

  std::unique_ptr<Cluster> cluster_ =
      GetParam().make({kPs, kWorker0, kWorker1});
  Node ps_, worker0_, worker1_;
};

// When one side has connected, both may send.
TEST_P(TransportConformance, LinksAreSymmetrical) {
  startPair();
  EXPECT_TRUE(worker0_->sendMessage(kPs, "to ps").isOk());
  ASSERT_TRUE(ps_.recorder.waitForMessages(1));
  EXPECT_EQ(ps_.recorder.messages()[0].from, kWorker0);
  EXPECT_EQ(ps_.recorder.messages()[0].text, "to ps");
  EXPECT_TRUE(ps_->sendMessage(kWorker0, "to worker").isOk());
  ASSERT_TRUE(worker0_.recorder.waitForMessages(1));
  EXPECT_EQ(worker0_.recorder.messages()[0].from, kPs);
}

// It does not matter who calls: the larger task, the smaller, or both at once.
TEST_P(TransportConformance, BothSidesMayConnectAtOnce) {
  for (int round = 0; round < 10; ++round) {
    start(ps_, kPs);
    start(worker0_, kWorker0);
    Outcome first, second;
    std::thread other([&] {
      ps_->connect(kWorker0, soon(), first.completion());
      if (round % 2)
        ps_->connect(kWorker0, soon(), Outcome().completion());
    });
    worker0_->connect(kPs, soon(), second.completion());
    other.join();
    ASSERT_TRUE(first.wait().isOk()) << first.wait().toString();
    ASSERT_TRUE(second.wait().isOk()) << second.wait().toString();
    EXPECT_TRUE(ps_->sendMessage(kWorker0, "a").isOk());
    EXPECT_TRUE(worker0_->sendMessage(kPs, "b").isOk());
    EXPECT_TRUE(worker0_.recorder.waitForMessages(round + 1));
    EXPECT_TRUE(ps_.recorder.waitForMessages(round + 1));
    ps_->stop(soon());
    worker0_->stop(soon());
    ps_.transport = nullptr;
    worker0_.transport = nullptr;
    cluster_ = GetParam().make({kPs, kWorker0, kWorker1});
  }
  EXPECT_TRUE(ps_.recorder.lost().empty());
  EXPECT_TRUE(worker0_.recorder.lost().empty());
}

// Connecting again to a linked peer is a success that changes nothing.
TEST_P(TransportConformance, ConnectIsIdempotent) {
  startPair();
  link(worker0_, ps_);
  link(ps_, worker0_);
  EXPECT_TRUE(worker0_->sendMessage(kPs, "still here").isOk());
  EXPECT_TRUE(ps_.recorder.waitForMessages(1));
}

// connect() waits for a peer that starts later.
TEST_P(TransportConformance, ConnectWaitsForALatePeer) {
  start(worker0_, kWorker0);
  Outcome outcome;
  worker0_->connect(kPs, soon(), outcome.completion());
  start(ps_, kPs);
  EXPECT_TRUE(outcome.wait().isOk()) << outcome.wait().toString();
}

// A peer that never starts is named when the deadline passes.
TEST_P(TransportConformance, MissingPeerIsNamed) {
  start(worker0_, kWorker0);
  Outcome outcome;
  worker0_->connect(kPs, Deadline::after(std::chrono::milliseconds(300)),
                    outcome.completion());
  Status status = outcome.wait();
  EXPECT_EQ(status.code(), StatusCode::DeadlineExceeded);
  EXPECT_NE(status.message().find("cannot reach ps:0 at "), std::string::npos)
      << status.message();
  EXPECT_EQ(outcome.calls(), 1);
}

// A peer that is no other task of the cluster is refused.
TEST_P(TransportConformance, UnknownPeerIsRefused) {
  start(worker0_, kWorker0);
  for (const TaskId &peer : {TaskId{"ps", 7}, kWorker0}) {
    Outcome outcome;
    worker0_->connect(peer, soon(), outcome.completion());
    EXPECT_EQ(outcome.wait().code(), StatusCode::InvalidArgument);
    EXPECT_EQ(outcome.wait().message(),
              strCat("worker:0 cannot connect to ", peer,
                     ": it is no other task of the cluster"));
  }
}

// Without a link nothing is sent, and the caller is told.
TEST_P(TransportConformance, NoLinkNoSend) {
  start(worker0_, kWorker0);
  Status status = worker0_->sendMessage(kPs, "hello");
  EXPECT_EQ(status.toString(), "UNAVAILABLE: cannot send to ps:0: worker:0 has "
                               "no link to it");
  Outcome outcome;
  worker0_->sendTensor(kPs, {0, 0, kWorker0}, {}, outcome.completion());
  EXPECT_EQ(outcome.wait().code(), StatusCode::Unavailable);
}

// Messages of all sizes arrive whole and in order.
TEST_P(TransportConformance, MessagesArriveInOrder) {
  startPair();
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(
        worker0_->sendMessage(kPs, std::to_string(i) + pattern(i * 3)).isOk());
  std::string large = pattern(6 << 20);
  ASSERT_TRUE(worker0_->sendMessage(kPs, large).isOk());
  ASSERT_TRUE(ps_.recorder.waitForMessages(501));
  auto messages = ps_.recorder.messages();
  for (int i = 0; i < 500; ++i)
    ASSERT_EQ(messages[i].text, std::to_string(i) + pattern(i * 3));
  EXPECT_TRUE(messages[500].text == large);
}

// Tensors of all sizes arrive with their bytes and their names.
TEST_P(TransportConformance, TensorsOfAllSizesArrive) {
  startPair();
  std::vector<std::string> sent;
  for (size_t size :
       {0, 1, 63, 4096, 65536, 262143, 262144, 262145, 1 << 20, 3 << 20, 0, 5})
    sent.push_back(pattern(size));
  std::vector<Outcome> outcomes(sent.size());
  for (size_t i = 0; i < sent.size(); ++i)
    worker0_->sendTensor(kPs, {100 + i, uint32_t(i), kWorker0},
                         bytesOf(sent[i]), outcomes[i].completion());
  for (Outcome &outcome : outcomes)
    EXPECT_TRUE(outcome.wait().isOk()) << outcome.wait().toString();
  ASSERT_TRUE(ps_.recorder.waitForTensors(sent.size()));
  auto tensors = ps_.recorder.tensors();
  for (size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(tensors[i].key, (RendezvousKey{100 + i, uint32_t(i), kWorker0}));
    EXPECT_TRUE(tensors[i].bytes == sent[i]) << i;
  }
}

// Messages and tensors of one peer keep their order.
TEST_P(TransportConformance, MessageComesAfterTheTensorsBeforeIt) {
  startPair();
  std::string tensor = pattern(1 << 20);
  Outcome outcome;
  worker0_->sendTensor(kPs, {0, 0, kWorker0}, bytesOf(tensor),
                       outcome.completion());
  ASSERT_TRUE(worker0_->sendMessage(kPs, "after").isOk());
  ASSERT_TRUE(ps_.recorder.waitForMessages(1));
  auto tensors = ps_.recorder.tensors();
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_TRUE(tensors[0].isWhole);
  EXPECT_TRUE(outcome.wait().isOk());
}

// The bytes of tensors, and of nothing else, are counted, for each peer.
TEST_P(TransportConformance, TensorBytesAreCounted) {
  startPair();
  start(worker1_, kWorker1);
  link(ps_, worker1_);
  std::string tensor = pattern(700000);
  std::vector<Outcome> outcomes(4);
  ASSERT_TRUE(ps_->sendMessage(kWorker0, "not counted").isOk());
  for (uint64_t i = 0; i < 3; ++i)
    ps_->sendTensor(kWorker0, {i, 0, kPs}, bytesOf(tensor),
                    outcomes[i].completion());
  ps_->sendTensor(kWorker1, {0, 0, kPs}, bytesOf(tensor).first(9),
                  outcomes[3].completion());
  for (Outcome &outcome : outcomes)
    ASSERT_TRUE(outcome.wait().isOk());
  EXPECT_EQ(ps_->tensorBytesSent(),
            (std::map<TaskId, uint64_t>{{kWorker0, 2100000}, {kWorker1, 9}}));
  EXPECT_TRUE(worker0_->tensorBytesSent().empty());
}

// Many threads may send to many peers at once; each completion runs once.
TEST_P(TransportConformance, ManySenders) {
  startPair();
  start(worker1_, kWorker1);
  link(worker1_, ps_);
  link(worker1_, worker0_);
  constexpr int kThreads = 4, kEach = 50;
  std::string tensor = pattern(30000);
  std::vector<Outcome> outcomes(2 * kThreads * kEach);
  std::vector<std::thread> senders;
  for (int t = 0; t < kThreads; ++t)
    senders.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        uint32_t edge = t * kEach + i;
        auto bytes = bytesOf(tensor).first(edge * 37 % tensor.size());
        ps_->sendTensor(kWorker0, {1, edge, kPs}, bytes,
                        outcomes[2 * edge].completion());
        worker1_->sendTensor(kWorker0, {1, edge, kWorker1}, bytes,
                             outcomes[2 * edge + 1].completion());
      }
    });
  for (std::thread &sender : senders)
    sender.join();
  ASSERT_TRUE(worker0_.recorder.waitForTensors(2 * kThreads * kEach));
  for (Outcome &outcome : outcomes) {
    EXPECT_TRUE(outcome.wait().isOk());
    EXPECT_EQ(outcome.calls(), 1);
  }
  for (auto &got : worker0_.recorder.tensors())
    EXPECT_TRUE(got.bytes ==
                tensor.substr(0, got.key.edge * 37 % tensor.size()));
}

// A killed peer is reported to all who were linked with it, once, and in
// words; what is sent to it afterwards fails.
TEST_P(TransportConformance, KilledPeerIsLost) {
  startPair();
  start(worker1_, kWorker1);
  link(worker1_, worker0_);
  cluster_->kill(worker0_.transport);
  ASSERT_TRUE(ps_.recorder.waitForLost(1));
  ASSERT_TRUE(worker1_.recorder.waitForLost(1));
  auto lost = ps_.recorder.lost();
  EXPECT_EQ(lost[0].first, kWorker0);
  EXPECT_EQ(lost[0].second.toString(), "UNAVAILABLE: connection closed");
  EXPECT_EQ(ps_->sendMessage(kWorker0, "hello").toString(),
            "UNAVAILABLE: cannot send to worker:0: connection closed");
  Outcome tensor, connect;
  ps_->sendTensor(kWorker0, {0, 0, kPs}, {}, tensor.completion());
  EXPECT_EQ(tensor.wait().code(), StatusCode::Unavailable);
  ps_->connect(kWorker0, soon(), connect.completion());
  EXPECT_EQ(connect.wait().toString(),
            "UNAVAILABLE: cannot reach worker:0: connection closed");
}

// What is queued for a peer that is killed ends, each completion once.
TEST_P(TransportConformance, CompletionsEndWhenThePeerDies) {
  startPair();
  std::string tensor = pattern(1 << 20);
  std::vector<Outcome> outcomes(40);
  for (uint64_t i = 0; i < outcomes.size(); ++i)
    ps_->sendTensor(kWorker0, {i, 0, kPs}, bytesOf(tensor),
                    outcomes[i].completion());
  cluster_->kill(worker0_.transport);
  for (Outcome &outcome : outcomes)
    EXPECT_NE(outcome.wait().code(), StatusCode::Internal);
  ASSERT_TRUE(ps_.recorder.waitForLost(1));
  ps_->stop(soon());
  for (Outcome &outcome : outcomes)
    EXPECT_EQ(outcome.calls(), 1);
}

// An orderly stop sends what is queued first, and is no loss to the peer.
TEST_P(TransportConformance, StopFlushesAndIsNoLoss) {
  startPair();
  std::string tensor = pattern(2 << 20);
  std::vector<Outcome> outcomes(8);
  for (uint64_t i = 0; i < outcomes.size(); ++i)
    worker0_->sendTensor(kPs, {i, 0, kWorker0}, bytesOf(tensor),
                         outcomes[i].completion());
  ASSERT_TRUE(worker0_->sendMessage(kPs, "last").isOk());
  worker0_->stop(soon());
  for (Outcome &outcome : outcomes) {
    EXPECT_EQ(outcome.calls(), 1);
    EXPECT_TRUE(outcome.wait().isOk());
  }
  ASSERT_TRUE(ps_.recorder.waitForTensors(outcomes.size()));
  ASSERT_TRUE(ps_.recorder.waitForMessages(1));
  EXPECT_EQ(ps_->sendMessage(kWorker0, "hello").toString(),
            "UNAVAILABLE: cannot send to worker:0: worker:0 has left");
  ps_->stop(soon());
  EXPECT_TRUE(ps_.recorder.lost().empty());
}

// Both ends may stop at the same time; neither calls the other lost.
TEST_P(TransportConformance, BothMayStopAtOnce) {
  startPair();
  std::thread other([&] { ps_->stop(soon()); });
  worker0_->stop(soon());
  other.join();
  EXPECT_TRUE(ps_.recorder.lost().empty());
  EXPECT_TRUE(worker0_.recorder.lost().empty());
}

// stop() may come again, and before anything else; afterwards nothing is sent.
TEST_P(TransportConformance, StopIsIdempotent) {
  worker1_.transport = cluster_->make(kWorker1);
  worker1_->stop(soon());
  startPair();
  worker0_->stop(soon());
  worker0_->stop(soon());
  EXPECT_EQ(worker0_->sendMessage(kPs, "hello").code(),
            StatusCode::Unavailable);
  Outcome tensor, connect;
  worker0_->sendTensor(kPs, {0, 0, kWorker0}, {}, tensor.completion());
  EXPECT_EQ(tensor.wait().code(), StatusCode::Unavailable);
  worker0_->connect(kPs, soon(), connect.completion());
  EXPECT_EQ(connect.wait().toString(),
            "CANCELLED: the transport of worker:0 is not running");
}

// stop() ends what waits for a link.
TEST_P(TransportConformance, StopCancelsConnect) {
  start(worker0_, kWorker0);
  Outcome outcome;
  worker0_->connect(kPs, Deadline::infinite(), outcome.completion());
  worker0_->stop(soon());
  EXPECT_EQ(outcome.wait().toString(), "CANCELLED: the transport was stopped");
  EXPECT_EQ(outcome.calls(), 1);
}

// A transport starts once.
TEST_P(TransportConformance, StartsOnce) {
  start(worker0_, kWorker0);
  EXPECT_EQ(worker0_->start(worker0_.recorder).toString(),
            "FAILED_PRECONDITION: the transport of worker:0 was started "
            "before");
}

INSTANTIATE_TEST_SUITE_P(Transports, TransportConformance,
                         testing::Values(ClusterCase{"loopback",
                                                     makeLoopbackCluster},
                                         ClusterCase{"grpc", makeGrpcCluster}),
                         [](const auto &info) { return info.param.label; });

} // namespace
} // namespace dtc::test
