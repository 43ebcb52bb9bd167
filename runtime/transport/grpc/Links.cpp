#include "runtime/transport/grpc/Links.h"

#include "runtime/transport/grpc/Address.h"

namespace dtc {
namespace {

// How long a stranger may be connected without a greeting.
constexpr auto kGreetingTime = std::chrono::seconds(5);

Status wrongTime(FrameKind kind) {
  return Status::invalidArgument(
      strCat("a frame of kind ", uint32_t(kind), " at the wrong time"));
}

} // namespace

grpc::ServerGenericBidiReactor *
GrpcTransport::CreateReactor(grpc::GenericCallbackServerContext *context) {
  if (context->method() != kLinkMethod)
    return CallbackGenericService::CreateReactor(context); // UNIMPLEMENTED
  auto stream = std::make_shared<ServerStream>(*this, options_.chunkBytes);
  bool isStopping;
  {
    std::lock_guard lock(mutex_);
    isStopping = isStopping_;
    Timer::Id timer = timer_.at(
        Clock::steady().now() + kGreetingTime,
        [weak = std::weak_ptr<Stream>(stream)] {
          if (auto stream = weak.lock())
            stream->close(Status::deadlineExceeded("no greeting came"));
        });
    sessions_[stream.get()] = {
        .stream = stream, .phase = Phase::AwaitHello, .timer = timer};
  }
  stream->start();
  if (isStopping)
    stream->close(Status::unavailable(strCat(self(), " is leaving")));
  return stream.get();
}

Status GrpcTransport::onFrame(Stream &stream, FrameKind kind,
                              std::string payload) {
  Phase phase;
  TaskId peer;
  {
    std::lock_guard lock(mutex_);
    const Session &session = sessions_.at(&stream);
    phase = session.phase;
    peer = session.peer;
  }
  switch (kind) {
  case FrameKind::Hello:
    return phase == Phase::AwaitHello ? onHello(stream, payload)
                                      : wrongTime(kind);
  case FrameKind::Welcome:
    return phase == Phase::AwaitWelcome ? onWelcome(stream, payload)
                                        : wrongTime(kind);
  case FrameKind::Confirm:
    return phase == Phase::AwaitConfirm ? onConfirm(stream) : wrongTime(kind);
  case FrameKind::Message:
    if (phase != Phase::Linked)
      return wrongTime(kind);
    handler_->onMessage(peer, std::move(payload));
    return Status::ok();
  case FrameKind::Goodbye:
    return phase == Phase::Linked ? onGoodbye(stream) : wrongTime(kind);
  case FrameKind::Tensor:
    break;
  }
  return wrongTime(kind);
}

Status GrpcTransport::onPiece(Stream &stream, const PieceHeader &piece,
                              std::span<const std::byte> bytes) {
  RendezvousKey key{piece.step, piece.edge, {}};
  {
    std::lock_guard lock(mutex_);
    const Session &session = sessions_.at(&stream);
    if (session.phase != Phase::Linked)
      return wrongTime(FrameKind::Tensor);
    key.source = session.peer;
  }
  handler_->onTensor(key, piece.totalBytes, piece.offset, bytes);
  return Status::ok();
}

void GrpcTransport::onTensorsWritten(Stream &stream, size_t bytes) {
  std::lock_guard lock(mutex_);
  Peer &peer = peers_.at(sessions_.at(&stream).peer);
  peer.tensorBytesSent += bytes;
  ++peer.tensorWrites;
}

void GrpcTransport::post(std::function<void()> function) {
  {
    // Whoever calls from inside gRPC was ordered after start() by gRPC alone,
    // which a thread checker cannot see.
    std::lock_guard lock(mutex_);
  }
  timer_.post(std::move(function));
}

/// Whether the other end means this task, in this run.
Status GrpcTransport::checkGreeting(const Greeting &greeting) const {
  if (greeting.to != self())
    return Status::failedPrecondition(
        strCat("this is ", self(), ", not ", greeting.to));
  if (greeting.from == self() || !options_.addresses.contains(greeting.from))
    return Status::failedPrecondition(strCat(self(), " knows no other task ",
                                             greeting.from, " in its cluster"));
  if (greeting.token != options_.token)
    return Status::failedPrecondition(
        strCat(self(), " and ", greeting.from,
               " are not of one run: their plans or clusters differ"));
  return Status::ok();
}

/// Whether a link with `peer` may still be made. Call it under the lock.
Status GrpcTransport::checkFree(const Peer &peer,
                                const Greeting &greeting) const {
  if (isStopping_)
    return Status::unavailable(strCat(self(), " is leaving"));
  if (peer.state == LinkState::Gone)
    return peer.gone.withPrefix(strCat(greeting.from, " was here before: "));
  if (peer.state == LinkState::None)
    return Status::ok();
  if (peer.incarnation == greeting.incarnation)
    return Status::aborted("the calls crossed");
  return Status::alreadyExists(
      strCat("another process is ", greeting.from, " already"));
}

/// This stream it is; nobody makes another. Call it under the lock.
void GrpcTransport::decide(Peer &peer, Session &session, uint64_t incarnation) {
  peer.state = LinkState::Linked;
  peer.incarnation = incarnation;
  session.phase = Phase::Linking;
}

Status GrpcTransport::onHello(Stream &stream, const std::string &payload) {
  DTC_ASSIGN_OR_RETURN(Greeting greeting, decodeGreeting(payload));
  DTC_RETURN_IF_ERROR(checkGreeting(greeting));
  {
    std::lock_guard lock(mutex_);
    Peer &peer = peers_.at(greeting.from);
    DTC_RETURN_IF_ERROR(checkFree(peer, greeting));
    Session &session = sessions_.at(&stream);
    session.peer = greeting.from;
    if (!isDecider(greeting.from)) {
      session.phase = Phase::AwaitConfirm;
      session.incarnation = greeting.incarnation;
    } else {
      decide(peer, session, greeting.incarnation);
    }
  }
  stream.sendFrame(FrameKind::Welcome, greetingFor(greeting.from));
  if (isDecider(greeting.from))
    publish(greeting.from, stream);
  return Status::ok();
}

Status GrpcTransport::onWelcome(Stream &stream, const std::string &payload) {
  DTC_ASSIGN_OR_RETURN(Greeting greeting, decodeGreeting(payload));
  DTC_RETURN_IF_ERROR(checkGreeting(greeting));
  {
    std::lock_guard lock(mutex_);
    Session &session = sessions_.at(&stream);
    if (greeting.from != session.peer)
      return Status::failedPrecondition(
          strCat("that address is ", greeting.from, ", not ", session.peer));
    Peer &peer = peers_.at(greeting.from);
    DTC_RETURN_IF_ERROR(checkFree(peer, greeting));
    decide(peer, session, greeting.incarnation);
  }
  if (isDecider(greeting.from))
    stream.sendFrame(FrameKind::Confirm, "");
  publish(greeting.from, stream);
  return Status::ok();
}

Status GrpcTransport::onConfirm(Stream &stream) {
  TaskId id;
  {
    std::lock_guard lock(mutex_);
    Session &session = sessions_.at(&stream);
    id = session.peer;
    Peer &peer = peers_.at(id);
    DTC_RETURN_IF_ERROR(checkFree(peer, {session.incarnation, id, self(), ""}));
    decide(peer, session, session.incarnation);
  }
  publish(id, stream);
  return Status::ok();
}

/// The last frame of the handshake is queued or came: lets senders use the
/// stream, ends other attempts.
void GrpcTransport::publish(const TaskId &id, Stream &stream) {
  std::shared_ptr<Stream> crossed;
  Lock lock(mutex_);
  Session &session = sessions_.at(&stream);
  session.phase = Phase::Linked;
  timer_.cancel(session.timer);
  Peer &peer = peers_.at(id);
  peer.link = session.stream;
  timer_.cancel(peer.retryTimer);
  if (peer.attempt != session.stream)
    crossed = peer.attempt;
  peer.attempt = nullptr;
  bool mustLeave = isStopping_; // stop() came between and did not see the link
  std::shared_ptr<Stream> link = session.stream;
  endWaiters(peer, Status::ok(), lock);
  if (crossed)
    crossed->close(Status::aborted("the calls crossed"));
  if (mustLeave)
    link->sendFrame(FrameKind::Goodbye, "");
}

Status GrpcTransport::onGoodbye(Stream &stream) {
  std::lock_guard lock(mutex_);
  TaskId id = sessions_.at(&stream).peer;
  Peer &peer = peers_.at(id);
  peer.state = LinkState::Gone;
  peer.link = nullptr;
  peer.gone = Status::unavailable(strCat(id, " has left"));
  return peer.gone; // closes the stream: what is queued cannot arrive
}

void GrpcTransport::onEnd(Stream &stream, const Status &why) {
  Lock lock(mutex_);
  Session session = sessions_.at(&stream);
  timer_.cancel(session.timer);
  if (session.phase == Phase::Linked)
    lose(session.peer, why, lock);
  else if (session.isOurCall &&
           peers_.at(session.peer).attempt == session.stream)
    attemptEnded(session.peer, why, lock);
  // Last: stop() waits for the session, and so for the handler.
  if (!lock.owns_lock())
    lock.lock();
  sessions_.erase(&stream);
  changed_.notify_all();
}

/// A link has ended. Tells the handler, unless the peer had said goodbye.
void GrpcTransport::lose(const TaskId &id, const Status &why, Lock &lock) {
  Peer &peer = peers_.at(id);
  if (peer.state == LinkState::Gone)
    return;
  peer.state = LinkState::Gone;
  peer.link = nullptr;
  peer.gone = why.code() == StatusCode::InvalidArgument
                  ? Status::unavailable("it sent nonsense: " + why.message())
                  : Status::unavailable(why.message());
  Status gone = peer.gone;
  bool mustTell = !isStopping_;
  lock.unlock();
  if (mustTell)
    handler_->onPeerLost(id, std::move(gone));
}

} // namespace dtc
