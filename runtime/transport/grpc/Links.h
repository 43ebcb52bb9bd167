// Links: who is linked with whom, and by which stream.
//
// Both tasks of a pair may call the other at the same time; one link must
// come of it. So one of them decides: the smaller TaskId. Whoever calls says
// Hello; whoever is called answers Welcome. The decider's own step is final:
//
//   decider called      its Welcome makes the link
//   decider is caller   its Confirm, after the other's Welcome, makes the link
//
// The decider takes one stream of a peer and refuses the rest; the other side
// uses what was decided and drops what was not. An incarnation, random in each
// process, tells a crossed call of the same process (try again) from a second
// process of the same name (refused).
#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <grpcpp/generic/async_generic_service.h>

#include "runtime/base/Timer.h"
#include "runtime/transport/grpc/GrpcTransport.h"
#include "runtime/transport/grpc/Stream.h"

namespace dtc {

class GrpcTransport final : public Transport,
                            public StreamOwner,
                            private grpc::CallbackGenericService {
public:
  explicit GrpcTransport(GrpcOptions options);
  ~GrpcTransport() override;

  const TaskId &self() const override { return options_.self; }
  Status start(TransportHandler &handler) override;
  void connect(const TaskId &peer, Deadline deadline, Completion done) override;
  Status sendMessage(const TaskId &peer, std::string message) override;
  void sendTensor(const TaskId &peer, const RendezvousKey &key,
                  std::span<const std::byte> bytes, Completion done) override;
  void holdTensor(const TaskId &peer, const RendezvousKey &key,
                  std::span<const std::byte> bytes, Completion done) override;
  void flush(const TaskId &peer) override;
  std::map<TaskId, uint64_t> tensorBytesSent() const override;
  std::map<TaskId, uint64_t> tensorWrites() const override;
  void stop(Deadline deadline) override;

private:
  using Lock = std::unique_lock<std::mutex>;

  struct Waiter { // of connect()
    uint64_t id;
    Completion done;
    Timer::Id timer;
  };
  enum class LinkState { None, Linked, Gone };
  struct Peer {
    std::string address;
    LinkState state = LinkState::None;
    std::shared_ptr<Stream> link; // null until the handshake's last frame is
                                  // queued, though state is Linked
    uint64_t incarnation = 0;
    Status gone; // why, when Gone
    uint64_t tensorBytesSent = 0, tensorWrites = 0;

    // Connecting.
    std::list<Waiter> waiters;
    std::shared_ptr<Stream> attempt;
    Timer::Id attemptTimer = 0;
    Timer::Id retryTimer = 0;
    Duration backoff{};
    TimePoint firstTry{};
    int tries = 0;
    std::string lastError;
  };
  // Linking: decided, but the handshake's last frame is not queued yet.
  enum class Phase { AwaitHello, AwaitWelcome, AwaitConfirm, Linking, Linked };
  struct Session {
    std::shared_ptr<Stream> stream;
    Phase phase;
    TaskId peer; // known from the start when we call, else from the Hello
    bool isOurCall = false;
    uint64_t incarnation = 0; // of the caller, from its Hello
    Timer::Id timer = 0;      // ends a call that does not come to a link
  };
  enum class Ending { Orderly, Abrupt };

  // Links.cpp: the handshake and what streams report.
  Status onFrame(Stream &stream, FrameKind kind, std::string payload) override;
  Status onPiece(Stream &stream, const PieceHeader &piece,
                 std::span<const std::byte> bytes) override;
  void onEnd(Stream &stream, const Status &why) override;
  void onTensorsWritten(Stream &stream, size_t bytes) override;
  void post(std::function<void()> function) override;
  grpc::ServerGenericBidiReactor *
  CreateReactor(grpc::GenericCallbackServerContext *context) override;

  Status onHello(Stream &stream, const std::string &payload);
  Status onWelcome(Stream &stream, const std::string &payload);
  Status onConfirm(Stream &stream);
  Status onGoodbye(Stream &stream);
  Status checkGreeting(const Greeting &greeting) const;
  Status checkFree(const Peer &peer, const Greeting &greeting) const;
  void decide(Peer &peer, Session &session, uint64_t incarnation);
  void publish(const TaskId &id, Stream &stream);
  void lose(const TaskId &id, const Status &why, Lock &lock);

  // Connecting.cpp: tries, back-off, deadlines.
  void tryToConnect(const TaskId &id);
  void attemptEnded(const TaskId &id, const Status &why, Lock &lock);
  void retryLater(const TaskId &id, Peer &peer);
  void expire(const TaskId &id, uint64_t waiter);
  void endWaiters(Peer &peer, const Status &status, Lock &lock);

  // GrpcTransport.cpp: the interface, start and stop.
  void queueTensor(const TaskId &id, const RendezvousKey &key,
                   std::span<const std::byte> bytes, Completion done,
                   bool isHeld);
  Completion counted(Completion done);
  Result<std::shared_ptr<Stream>> linkTo(const TaskId &id) const;
  void endAll(Ending ending, Deadline deadline);
  void sayGoodbye(Ending ending);
  std::vector<std::shared_ptr<Stream>> openStreams() const;
  bool isDecider(const TaskId &peer) const { return self() < peer; }
  std::string greetingFor(const TaskId &peer) const;

  const GrpcOptions options_;
  const uint64_t incarnation_;
  TransportHandler *handler_ = nullptr; // set by start()
  std::unique_ptr<grpc::Server> server_;
  std::mutex stopMutex_; // held by who starts or stops

  // Guards what follows. Never held while gRPC, a stream, the handler or a
  // completion is called.
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_; // sessions_, callsOut_
  bool isRunning_ = false;
  bool isStopping_ = false;
  std::map<TaskId, Peer> peers_;
  std::unordered_map<Stream *, Session> sessions_;
  uint64_t lastWaiter_ = 0;
  size_t callsOut_ = 0; // completions that are due, and have not run

  Timer timer_; // ends first: its functions use all of the above
};

} // namespace dtc
