// What only the links between processes do. Some tests start this program
// again, as another task (see main at the end).
#include "runtime/transport/grpc/GrpcTransport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <random>
#include <thread>

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/Timer.h"
#include "runtime/transport/conformance/Cluster.h"
#include "runtime/transport/grpc/Stream.h"

namespace dtc::test {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::MatchesRegex;

const TaskId kPs{"ps", 0}, kWorker{"worker", 0};

std::map<TaskId, std::string> twoAddresses() {
  return {{kPs, strCat("127.0.0.1:", freePort())},
          {kWorker, strCat("127.0.0.1:", freePort())}};
}

/// A started transport and what it saw.
struct Node {
  Recorder recorder;
  std::unique_ptr<Transport> transport;

  explicit Node(GrpcOptions options)
      : transport(makeGrpcTransport(std::move(options))) {
    Status status = transport->start(recorder);
    EXPECT_TRUE(status.isOk()) << status.toString();
  }
  Status connect(const TaskId &peer, Deadline deadline = soon()) {
    Outcome outcome;
    transport->connect(peer, deadline, outcome.completion());
    return outcome.wait();
  }
};

// A port that somebody listens on is named, with the reason.
TEST(GrpcListen, PortInUseIsNamed) {
  auto addresses = twoAddresses();
  Node first({.self = kPs, .addresses = addresses});
  Recorder recorder;
  auto second = makeGrpcTransport({.self = kPs, .addresses = addresses});
  EXPECT_EQ(second->start(recorder).toString(),
            strCat("UNAVAILABLE: cannot listen on ", addresses[kPs],
                   ": the port is in use"));
}

// A port is free again when stop() has returned.
TEST(GrpcListen, StopFreesThePort) {
  auto addresses = twoAddresses();
  for (int i = 0; i < 3; ++i) {
    Node ps({.self = kPs, .addresses = addresses});
    Node worker({.self = kWorker, .addresses = addresses});
    ASSERT_TRUE(worker.connect(kPs).isOk());
    worker.transport->stop(soon());
    ps.transport->stop(soon());
  }
}

// Addresses that cannot be listened on are named, with the reason.
TEST(GrpcListen, BadAddressesAreNamed) {
  const std::pair<std::string, std::string> cases[] = {
      {"127.0.0.1", "INVALID_ARGUMENT: cannot listen on 127.0.0.1: host:port "
                    "is expected"},
      {":80", "INVALID_ARGUMENT: cannot listen on :80: host:port is expected"},
      {"203.0.113.7:4000", "UNAVAILABLE: cannot listen on 203.0.113.7:4000: "
                           "this machine does not have that address"}};
  for (auto &[address, message] : cases) {
    Recorder recorder;
    auto transport =
        makeGrpcTransport({.self = kPs, .addresses = {{kPs, address}}});
    EXPECT_EQ(transport->start(recorder).toString(), message);
  }
}

// listenAddress stands in for the own address.
TEST(GrpcListen, ListenAddressWins) {
  auto addresses = twoAddresses();
  std::string own = addresses[kPs];
  auto elsewhere = addresses;
  elsewhere[kPs] = "203.0.113.7:4000";
  Node ps({.self = kPs, .addresses = elsewhere, .listenAddress = own});
  Node worker({.self = kWorker, .addresses = addresses});
  EXPECT_TRUE(worker.connect(kPs).isOk());
}

// A peer that does not answer is named with its address, the network's words
// and the number of tries; each failed try is reported as it happens, and gRPC
// writes nothing of its own.
TEST(GrpcConnect, MissingPeerTellsAddressTriesAndReason) {
  testing::internal::CaptureStderr();
  auto addresses = twoAddresses();
  std::mutex mutex;
  std::vector<std::string> retries;
  GrpcOptions options{.self = kWorker, .addresses = addresses};
  options.onConnectRetry = [&](const TaskId &peer, int tries,
                               std::string error) {
    std::lock_guard lock(mutex);
    retries.push_back(strCat(peer, " ", tries, " ", error));
  };
  {
    Node worker(options);
    Status status = worker.connect(kPs, Deadline::after(milliseconds(600)));
    EXPECT_EQ(status.code(), StatusCode::DeadlineExceeded);
    EXPECT_THAT(status.message(),
                MatchesRegex("cannot reach ps:0 at " + addresses[kPs] +
                             ": connection refused \\([2-9] tries in 0\\.[0-9] "
                             "s\\)"));
  }
  ASSERT_GE(retries.size(), 2u);
  EXPECT_EQ(retries[0], "ps:0 1 connection refused");
  EXPECT_EQ(retries[1], "ps:0 2 connection refused");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Someone who accepts but never answers is not waited for longer than said.
TEST(GrpcConnect, SilentListenerIsGivenUp) {
  auto addresses = twoAddresses();
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string port = addresses[kPs].substr(addresses[kPs].find(':') + 1);
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(port)));
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address),
            0);
  ASSERT_EQ(listen(fd, 5), 0);
  Node worker({.self = kWorker, .addresses = addresses});
  Status status = worker.connect(kPs, Deadline::after(milliseconds(300)));
  EXPECT_EQ(status.code(), StatusCode::DeadlineExceeded);
  EXPECT_THAT(status.message(), HasSubstr("no answer yet (1 try in "));
  close(fd);
}

// Tasks of different runs do not mix; both are told at once, not at the
// deadline.
TEST(GrpcConnect, AnotherRunIsRefused) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses, .token = "run 1"});
  Node worker({.self = kWorker, .addresses = addresses, .token = "run 2"});
  EXPECT_EQ(worker.connect(kPs).toString(),
            strCat("FAILED_PRECONDITION: cannot reach ps:0 at ", addresses[kPs],
                   ": ps:0 and worker:0 are not of one run: their plans or "
                   "clusters differ"));
  EXPECT_EQ(ps.connect(kWorker).code(), StatusCode::FailedPrecondition);
}

// An address that belongs to another task is found out.
TEST(GrpcConnect, WrongTaskIsRefused) {
  auto addresses = twoAddresses();
  addresses[{"ps", 1}] = addresses[kPs];
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  EXPECT_THAT(worker.connect({"ps", 1}).message(),
              HasSubstr(": this is ps:0, not ps:1"));
}

// A task that the cluster does not have is refused.
TEST(GrpcConnect, UnknownTaskIsRefused) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  TaskId stranger{"worker", 7};
  auto wider = addresses;
  wider[stranger] = strCat("127.0.0.1:", freePort());
  Node other({.self = stranger, .addresses = wider});
  EXPECT_THAT(other.connect(kPs).message(),
              HasSubstr("ps:0 knows no other task worker:7 in its cluster"));
}

// A second process of the same name is refused; the first goes on.
TEST(GrpcConnect, DuplicateTaskIsRefused) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  ASSERT_TRUE(worker.connect(kPs).isOk());
  Node twin({.self = kWorker,
             .addresses = addresses,
             .listenAddress = strCat("127.0.0.1:", freePort())});
  Status status = twin.connect(kPs);
  EXPECT_EQ(status.code(), StatusCode::AlreadyExists);
  EXPECT_THAT(status.message(),
              HasSubstr("another process is worker:0 already"));
  EXPECT_TRUE(worker.transport->sendMessage(kPs, "here").isOk());
  EXPECT_TRUE(ps.recorder.waitForMessages(1));
}

// A link that carries nothing stays, beyond every time limit of the handshake.
TEST(GrpcConnect, IdleLinkStays) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  ASSERT_TRUE(worker.connect(kPs).isOk());
  std::promise<void> later;
  Timer timer;
  timer.at(Deadline::after(milliseconds(5500)).when(),
           [&] { later.set_value(); });
  later.get_future().wait();
  EXPECT_TRUE(ps.recorder.lost().empty());
  EXPECT_TRUE(worker.recorder.lost().empty());
  EXPECT_TRUE(worker.transport->sendMessage(kPs, "here").isOk());
  EXPECT_TRUE(ps.recorder.waitForMessages(1));
}

// What one activation sends in one go is one write, not one for each tensor.
TEST(GrpcSend, HeldTensorsShareAWrite) {
  constexpr uint32_t count = 64;
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  ASSERT_TRUE(ps.connect(kWorker).isOk());
  std::vector<std::byte> bytes(16);
  std::vector<Outcome> sent(count);
  // The first goes at once, and behind it nothing of the greeting is queued.
  ps.transport->sendTensor(kWorker, {0, 0, kPs}, bytes, sent[0].completion());
  ASSERT_TRUE(sent[0].wait().isOk());
  for (uint32_t edge = 1; edge < count; ++edge)
    ps.transport->holdTensor(kWorker, {0, edge, kPs}, bytes,
                             sent[edge].completion());
  EXPECT_EQ(ps.transport->tensorWrites().at(kWorker), 1u);
  ps.transport->flush(kWorker);
  ASSERT_TRUE(worker.recorder.waitForTensors(count));
  for (Outcome &outcome : sent)
    EXPECT_TRUE(outcome.wait().isOk());
  EXPECT_EQ(ps.transport->tensorWrites().at(kWorker), 2u);
  EXPECT_EQ(ps.transport->tensorBytesSent().at(kWorker), 16 * count);
  ps.transport->flush({"worker", 7}); // there is nothing, and no link
}

// Nothing that is held can stay behind: whatever follows takes it along, also
// the goodbye.
TEST(GrpcSend, HeldTensorsGoWithWhatFollows) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  ASSERT_TRUE(ps.connect(kWorker).isOk());
  std::vector<std::byte> bytes(16);
  Outcome first, second;
  ps.transport->holdTensor(kWorker, {0, 0, kPs}, bytes, first.completion());
  ASSERT_TRUE(ps.transport->sendMessage(kWorker, "go").isOk());
  EXPECT_TRUE(worker.recorder.waitForTensors(1));
  EXPECT_TRUE(first.wait().isOk());
  ps.transport->holdTensor(kWorker, {0, 1, kPs}, bytes, second.completion());
  ps.transport->stop(soon());
  EXPECT_TRUE(second.wait().isOk());
  EXPECT_EQ(worker.recorder.tensors().size(), 2u);
}

// More messages than may wait for a peer are refused, not kept.
TEST(GrpcSend, QueuedMessagesAreBounded) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker(
      {.self = kWorker, .addresses = addresses, .maxQueuedBytes = 1000});
  ASSERT_TRUE(worker.connect(kPs).isOk());
  Status status = worker.transport->sendMessage(kPs, std::string(1001, 'x'));
  EXPECT_EQ(status.toString(), "RESOURCE_EXHAUSTED: cannot send to ps:0: 0 "
                               "bytes of messages wait already");
  status = worker.transport->sendMessage(kPs, std::string((64 << 20) + 1, 'x'));
  EXPECT_EQ(status.toString(), "INVALID_ARGUMENT: a message of 67108865 bytes "
                               "is longer than 67108864");
}

/// The other end of a raw stream: says what the test wants to be said.
class Stranger final : public StreamOwner {
public:
  explicit Stranger(std::string address) : address_(std::move(address)) {}
  ~Stranger() override { EXPECT_TRUE(waitForEnd()); }

  std::shared_ptr<ClientStream> call(const std::string &greeting) {
    auto stream = std::make_shared<ClientStream>(*this, 1 << 16);
    stream->start(address_, grpc::ChannelArguments(), greeting);
    return stream;
  }
  bool waitForWelcome() {
    return waitFor([&] { return isWelcome_; });
  }
  bool waitForAnswer() {
    return waitFor([&] { return isWelcome_ || hasEnded_; });
  }
  bool waitForEnd() {
    return waitFor([&] { return hasEnded_; });
  }
  Status why() {
    std::lock_guard lock(mutex_);
    return why_;
  }

private:
  bool waitFor(const std::function<bool()> &isTrue) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, soon().when(), isTrue);
  }
  Status onFrame(Stream &, FrameKind kind, std::string) override {
    std::lock_guard lock(mutex_);
    isWelcome_ |= kind == FrameKind::Welcome;
    changed_.notify_all();
    return Status::ok();
  }
  Status onPiece(Stream &, const PieceHeader &,
                 std::span<const std::byte>) override {
    return Status::ok();
  }
  void onEnd(Stream &, const Status &why) override {
    std::lock_guard lock(mutex_);
    hasEnded_ = true;
    why_ = why;
    changed_.notify_all();
  }
  void onTensorsWritten(Stream &, size_t) override {}
  void post(std::function<void()> function) override {
    timer_.post(std::move(function));
  }

  const std::string address_;
  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  bool isWelcome_ = false, hasEnded_ = false;
  Status why_;
  Timer timer_;
};

Greeting greetingOfWorker() { return {99, kWorker, kPs, ""}; }

// Whoever sends nonsense instead of a greeting is hung up on; the links that
// stand are not touched.
TEST(GrpcStranger, NonsenseOnlyClosesItsOwnStream) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  ASSERT_TRUE(worker.connect(kPs).isOk());
  for (std::string nonsense : {"", "hello", "\0\0\0\0"}) {
    Stranger stranger(addresses[kPs]);
    stranger.call(nonsense);
    ASSERT_TRUE(stranger.waitForEnd());
    EXPECT_EQ(stranger.why().toString(),
              "INVALID_ARGUMENT: the greeting is not dtc's");
  }
  EXPECT_TRUE(worker.transport->sendMessage(kPs, "here").isOk());
  EXPECT_TRUE(ps.recorder.waitForMessages(1));
}

// Mutated greetings never crash a task.
TEST(GrpcStranger, MutatedGreetingsAreRefusedOrAccepted) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string greeting = encodeGreeting(greetingOfWorker());
    greeting[random() % greeting.size()] ^= char(1 << random() % 8);
    if (round % 4 == 0)
      greeting.resize(random() % greeting.size());
    Stranger stranger(addresses[kPs]);
    auto stream = stranger.call(greeting);
    stream->sendFrame(FrameKind::Message, "before its time");
    if (decodeGreeting(greeting).isOk() && stranger.waitForAnswer())
      stream->close(Status::cancelled("enough"));
    EXPECT_TRUE(stranger.waitForEnd());
  }
}

// A linked peer that sends nonsense is lost, and the reason says so.
TEST(GrpcStranger, NonsenseOnALinkLosesThePeer) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Stranger stranger(addresses[kPs]);
  auto stream = stranger.call(encodeGreeting(greetingOfWorker()));
  ASSERT_TRUE(stranger.waitForWelcome());
  stream->sendFrame(FrameKind::Welcome, "again");
  ASSERT_TRUE(ps.recorder.waitForLost(1));
  EXPECT_EQ(ps.recorder.lost()[0].first, kWorker);
  EXPECT_EQ(ps.recorder.lost()[0].second.toString(),
            "UNAVAILABLE: it sent nonsense: a frame of kind 2 at the wrong "
            "time");
}

// Bytes that are not even HTTP/2 do no harm.
TEST(GrpcStranger, RawBytesDoNoHarm) {
  auto addresses = twoAddresses();
  Node ps({.self = kPs, .addresses = addresses});
  Node worker({.self = kWorker, .addresses = addresses});
  ASSERT_TRUE(worker.connect(kPs).isOk());
  std::string port = addresses[kPs].substr(addresses[kPs].find(':') + 1);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(port)));
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address),
            0);
  std::string noise(5000, '\xa5');
  EXPECT_GT(send(fd, noise.data(), noise.size(), MSG_NOSIGNAL), 0);
  EXPECT_TRUE(worker.transport->sendMessage(kPs, "here").isOk());
  EXPECT_TRUE(ps.recorder.waitForMessages(1));
  close(fd);
}

/// This program again, as task `self`, linked with the other one.
class Child {
public:
  Child(const TaskId &self, const std::map<TaskId, std::string> &addresses) {
    std::string job = self.job, ps = addresses.at(kPs),
                worker = addresses.at(kWorker);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      execl("/proc/self/exe", "child", job.c_str(), ps.c_str(), worker.c_str(),
            nullptr);
      _exit(127);
    }
  }
  ~Child() {
    signal(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  void signal(int number) { kill(pid_, number); }

private:
  pid_t pid_;
};

class GrpcProcess : public testing::TestWithParam<TaskId> {
protected:
  TaskId other() const { return GetParam() == kPs ? kWorker : kPs; }
  /// How long it takes until the child is known to be lost, after `number`.
  Duration timeToLoss(int number) {
    auto addresses = twoAddresses();
    Child child(GetParam(), addresses);
    Node node({.self = other(), .addresses = addresses});
    Status status = node.connect(GetParam());
    EXPECT_TRUE(status.isOk()) << status.toString();
    EXPECT_TRUE(node.recorder.waitForMessages(1));
    TimePoint begin = Clock::steady().now();
    child.signal(number);
    EXPECT_TRUE(node.recorder.waitForLost(1));
    Duration time = Clock::steady().now() - begin;
    for (auto &[peer, why] : node.recorder.lost()) {
      EXPECT_EQ(peer, GetParam());
      EXPECT_EQ(why.code(), StatusCode::Unavailable);
      EXPECT_THAT(
          why.message(),
          testing::AnyOf("connection closed", "no answer to keepalive pings"));
    }
    return time;
  }
};

// A process that is killed is known to be lost at once, on either end.
TEST_P(GrpcProcess, KilledProcessIsLostAtOnce) {
  EXPECT_LT(timeToLoss(SIGKILL), milliseconds(1000));
}

// A process that is frozen is known to be lost after the keepalive times.
TEST_P(GrpcProcess, FrozenProcessIsLostSoon) {
  EXPECT_LT(timeToLoss(SIGSTOP), milliseconds(4000));
}

INSTANTIATE_TEST_SUITE_P(Ends, GrpcProcess, testing::Values(kPs, kWorker),
                         [](const auto &info) { return info.param.job; });

/// The child's whole life: link, say so, wait to be killed.
int runChild(const std::string &job, const std::string &ps,
             const std::string &worker) {
  TaskId self{job, 0}, peer = job == "ps" ? kWorker : kPs;
  Recorder recorder;
  auto transport = makeGrpcTransport(
      {.self = self, .addresses = {{kPs, ps}, {kWorker, worker}}});
  Outcome outcome;
  if (!transport->start(recorder).isOk())
    return 1;
  transport->connect(peer, soon(), outcome.completion());
  if (!outcome.wait().isOk() || !transport->sendMessage(peer, "linked").isOk())
    return 1;
  recorder.waitForMessages(1); // none comes: the parent kills, or time ends
  return 0;
}

} // namespace
} // namespace dtc::test

int main(int argc, char **argv) {
  if (argc == 4 && std::string(argv[0]) == "child")
    return dtc::test::runChild(argv[1], argv[2], argv[3]);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
