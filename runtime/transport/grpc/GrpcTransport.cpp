#include "runtime/transport/grpc/GrpcTransport.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include <grpc/support/log.h>

#include "runtime/transport/grpc/Address.h"
#include "runtime/transport/grpc/Links.h"

namespace dtc {
namespace {

uint64_t randomNumber() {
  std::random_device device;
  return uint64_t(device()) << 32 | device();
}

/// What gRPC has to say goes into our statuses; its own lines on stderr would
/// only scare, but for its last one. GRPC_VERBOSITY switches all on.
void silenceGrpc() {
  if (std::getenv("GRPC_VERBOSITY"))
    return;
  gpr_set_log_function([](gpr_log_func_args *args) {
    if (std::strstr(args->message, "assertion failed"))
      std::fprintf(stderr, "gRPC: %s:%d: %s\n", args->file, args->line,
                   args->message);
  });
}

GrpcOptions checked(GrpcOptions options) {
  assert(options.addresses.contains(options.self) && "who is this?");
  options.chunkBytes =
      std::clamp<size_t>(options.chunkBytes, 4 << 10, kMaxPieceBytes);
  return options;
}

void addServerArguments(grpc::ServerBuilder &builder,
                        const GrpcOptions &options) {
  auto ms = [](Duration d) {
    return static_cast<int>(
        std::chrono::duration_cast<std::chrono::milliseconds>(d).count());
  };
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                             ms(options.keepaliveTime));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             ms(options.keepaliveTimeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Else the server takes its clients' pings for an attack and hangs up.
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
      ms(options.keepaliveTime) / 2);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
}

} // namespace

std::unique_ptr<Transport> makeGrpcTransport(GrpcOptions options) {
  silenceGrpc();
  return std::make_unique<GrpcTransport>(std::move(options));
}

GrpcTransport::GrpcTransport(GrpcOptions options)
    : options_(checked(std::move(options))), incarnation_(randomNumber()) {
  for (const auto &[id, address] : options_.addresses)
    if (id != self())
      peers_[id].address = address;
}

GrpcTransport::~GrpcTransport() {
  std::lock_guard stopLock(stopMutex_);
  endAll(Ending::Abrupt, Deadline::after(Duration::zero()));
  Lock lock(mutex_);
  changed_.wait(lock, [&] { return callsOut_ == 0; }); // the timer makes them
}

std::string GrpcTransport::greetingFor(const TaskId &peer) const {
  return encodeGreeting({incarnation_, self(), peer, options_.token});
}

Status GrpcTransport::start(TransportHandler &handler) {
  std::lock_guard stopLock(stopMutex_);
  if (handler_)
    return Status::failedPrecondition(
        strCat("the transport of ", self(), " was started before"));
  std::string address = options_.listenAddress.empty()
                            ? options_.addresses.at(self())
                            : options_.listenAddress;
  // gRPC does not tell why it cannot listen; and of a host with two addresses
  // it would be content with one.
  DTC_RETURN_IF_ERROR(checkListen(address));
  handler_ = &handler;
  {
    std::lock_guard lock(mutex_);
    isRunning_ = true;
  }
  grpc::ServerBuilder builder;
  addServerArguments(builder, options_);
  int port = 0;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
  builder.RegisterCallbackGenericService(this);
  server_ = builder.BuildAndStart();
  if (server_ && port > 0)
    return Status::ok();
  std::lock_guard lock(mutex_);
  isRunning_ = false;
  handler_ = nullptr;
  return Status::unavailable(
      strCat("cannot listen on ", address, ": gRPC gives no reason"));
}

Result<std::shared_ptr<Stream>> GrpcTransport::linkTo(const TaskId &id) const {
  std::lock_guard lock(mutex_);
  auto peer = peers_.find(id);
  if (peer == peers_.end() || isStopping_ || !isRunning_ ||
      (peer->second.state != LinkState::Gone && !peer->second.link))
    return Status::unavailable(
        strCat("cannot send to ", id, ": ", self(), " has no link to it"));
  if (peer->second.state == LinkState::Gone)
    return peer->second.gone.withPrefix(strCat("cannot send to ", id, ": "));
  return peer->second.link;
}

Status GrpcTransport::sendMessage(const TaskId &id, std::string message) {
  if (message.size() > kMaxMessageBytes)
    return Status::invalidArgument(strCat("a message of ", message.size(),
                                          " bytes is longer than ",
                                          kMaxMessageBytes));
  DTC_ASSIGN_OR_RETURN(std::shared_ptr<Stream> link, linkTo(id));
  if (link->queuedMessageBytes() + message.size() > options_.maxQueuedBytes)
    return Status::resourceExhausted(strCat("cannot send to ", id, ": ",
                                            link->queuedMessageBytes(),
                                            " bytes of messages wait already"));
  if (!link->sendFrame(FrameKind::Message, message))
    return Status::unavailable(
        strCat("cannot send to ", id, ": the link breaks"));
  return Status::ok();
}

void GrpcTransport::sendTensor(const TaskId &id, const RendezvousKey &key,
                               std::span<const std::byte> bytes,
                               Completion done) {
  queueTensor(id, key, bytes, std::move(done), /*isHeld=*/false);
}

void GrpcTransport::holdTensor(const TaskId &id, const RendezvousKey &key,
                               std::span<const std::byte> bytes,
                               Completion done) {
  queueTensor(id, key, bytes, std::move(done), /*isHeld=*/true);
}

void GrpcTransport::flush(const TaskId &id) {
  if (Result<std::shared_ptr<Stream>> link = linkTo(id); link.isOk())
    (*link)->flush(); // of a broken one, completions tell
}

void GrpcTransport::queueTensor(const TaskId &id, const RendezvousKey &key,
                                std::span<const std::byte> bytes,
                                Completion done, bool isHeld) {
  assert(key.source == self() && "a task sends only what it made");
  done = counted(std::move(done));
  Result<std::shared_ptr<Stream>> link = linkTo(id);
  if (!link.isOk())
    return post(
        [done = std::move(done), status = link.status()] { done(status); });
  (*link)->sendTensor(
      key.edge, key.step,
      std::make_shared<OutgoingTensor>(*this, bytes, std::move(done)), isHeld);
}

/// `done`, to be called later, in such a way that stop() waits for it.
Completion GrpcTransport::counted(Completion done) {
  std::lock_guard lock(mutex_);
  ++callsOut_;
  return [this, done = std::move(done)](Status status) {
    done(std::move(status));
    std::lock_guard lock(mutex_);
    --callsOut_;
    changed_.notify_all();
  };
}

std::map<TaskId, uint64_t> GrpcTransport::tensorBytesSent() const {
  std::lock_guard lock(mutex_);
  std::map<TaskId, uint64_t> sent;
  for (const auto &[id, peer] : peers_)
    if (peer.tensorBytesSent > 0)
      sent[id] = peer.tensorBytesSent;
  return sent;
}

std::map<TaskId, uint64_t> GrpcTransport::tensorWrites() const {
  std::lock_guard lock(mutex_);
  std::map<TaskId, uint64_t> writes;
  for (const auto &[id, peer] : peers_)
    if (peer.tensorWrites > 0)
      writes[id] = peer.tensorWrites;
  return writes;
}

void GrpcTransport::stop(Deadline deadline) {
  std::lock_guard stopLock(stopMutex_);
  endAll(Ending::Orderly, deadline);
}

std::vector<std::shared_ptr<Stream>> GrpcTransport::openStreams() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Stream>> streams;
  for (const auto &[stream, session] : sessions_)
    streams.push_back(session.stream);
  return streams;
}

/// Refuses new work, ends what is not yet a link, and says goodbye on what is.
void GrpcTransport::sayGoodbye(Ending ending) {
  std::vector<std::shared_ptr<Stream>> links, others;
  std::list<Waiter> waiters;
  {
    std::lock_guard lock(mutex_);
    isStopping_ = true;
    for (auto &[id, peer] : peers_) {
      timer_.cancel(peer.retryTimer);
      waiters.splice(waiters.end(), peer.waiters);
    }
    for (auto &[stream, session] : sessions_)
      if (session.phase == Phase::Linked)
        links.push_back(session.stream);
      else if (session.phase != Phase::Linking) // publish() says goodbye there
        others.push_back(session.stream);
  }
  Status why = Status::cancelled("the transport was stopped");
  for (Waiter &waiter : waiters) {
    timer_.cancel(waiter.timer);
    waiter.done(why);
  }
  for (auto &stream : others)
    stream->close(why);
  if (ending == Ending::Orderly)
    for (auto &stream : links)
      stream->sendFrame(FrameKind::Goodbye, "");
}

void GrpcTransport::endAll(Ending ending, Deadline deadline) {
  if (!server_)
    return;
  sayGoodbye(ending);
  auto isQuiet = [this] { return sessions_.empty(); };
  if (Lock lock(mutex_); ending == Ending::Orderly) {
    // The peer closes the stream when it has read the goodbye, and so all that
    // came before it.
    if (deadline.isInfinite())
      changed_.wait(lock, isQuiet);
    else
      changed_.wait_until(lock, deadline.when(), isQuiet);
  }
  for (auto &stream : openStreams())
    stream->close(Status::cancelled("the transport was stopped"));
  server_->Shutdown(std::chrono::system_clock::now());
  Lock lock(mutex_);
  // Bounded by gRPC: a call that was cancelled ends, and one that ended lets
  // go of its bytes.
  changed_.wait(lock, [&] { return sessions_.empty() && callsOut_ == 0; });
  isRunning_ = false;
  lock.unlock();
  server_ = nullptr;
}

} // namespace dtc
