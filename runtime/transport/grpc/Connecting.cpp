#include <algorithm>
#include <iomanip>
#include <utility>

#include "runtime/transport/grpc/Address.h"
#include "runtime/transport/grpc/Links.h"

namespace dtc {
namespace {

constexpr auto kFirstBackoff = std::chrono::milliseconds(100);
constexpr auto kLastBackoff = std::chrono::milliseconds(2000);
constexpr double kBackoffGrowth = 1.6;
// A peer that is there answers sooner; one that is frozen never does.
constexpr auto kAttemptTime = std::chrono::seconds(3);

/// Trying again would not help: the peer was reached and said no.
bool isRefusal(StatusCode code) {
  switch (code) {
  case StatusCode::InvalidArgument:
  case StatusCode::AlreadyExists:
  case StatusCode::PermissionDenied:
  case StatusCode::FailedPrecondition:
  case StatusCode::Unimplemented:
    return true;
  default:
    return false;
  }
}

grpc::ChannelArguments channelArguments(const GrpcOptions &options) {
  auto ms = [](Duration d) {
    return static_cast<int>(
        std::chrono::duration_cast<std::chrono::milliseconds>(d).count());
  };
  grpc::ChannelArguments args;
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, ms(options.keepaliveTime));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, ms(options.keepaliveTimeout));
  args.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  args.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Each try is a connection of its own; a cluster's links use no proxy.
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  args.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  args.SetString(GRPC_ARG_SERVICE_CONFIG, "{}");
  args.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  return args;
}

} // namespace

void GrpcTransport::connect(const TaskId &id, Deadline deadline,
                            Completion done) {
  Lock lock(mutex_);
  Status status;
  auto found = peers_.find(id);
  if (!isRunning_ || isStopping_)
    status = Status::cancelled(
        strCat("the transport of ", self(), " is not running"));
  else if (found == peers_.end())
    status =
        Status::invalidArgument(strCat(self(), " cannot connect to ", id,
                                       ": it is no other task of the cluster"));
  else if (found->second.state == LinkState::Gone)
    status = found->second.gone.withPrefix(strCat("cannot reach ", id, ": "));
  else if (!found->second.link) {
    Peer &peer = found->second;
    uint64_t waiter = ++lastWaiter_;
    bool isFirst = peer.waiters.empty();
    peer.waiters.push_back({waiter, std::move(done), 0});
    peer.waiters.back().timer =
        timer_.at(deadline.when(), [this, id, waiter] { expire(id, waiter); });
    if (isFirst && !peer.attempt) {
      peer.firstTry = Clock::steady().now();
      peer.tries = 0;
      peer.backoff = kFirstBackoff;
      peer.lastError = "no answer yet";
      // On the timer's thread: here may be one of gRPC's, and a first channel
      // must not be made there.
      timer_.post([this, id] { tryToConnect(id); });
    }
    return;
  }
  lock.unlock();
  post([done = counted(std::move(done)), status = std::move(status)] {
    done(status);
  });
}

void GrpcTransport::tryToConnect(const TaskId &id) {
  std::shared_ptr<ClientStream> stream;
  std::string address;
  {
    std::lock_guard lock(mutex_);
    Peer &peer = peers_.at(id);
    peer.retryTimer = 0;
    if (isStopping_ || peer.state != LinkState::None || peer.attempt ||
        peer.waiters.empty())
      return;
    stream = std::make_shared<ClientStream>(*this, options_.chunkBytes);
    address = peer.address;
    peer.attempt = stream;
    ++peer.tries;
    Timer::Id timer =
        timer_.at(Clock::steady().now() + kAttemptTime,
                  [weak = std::weak_ptr<Stream>(stream)] {
                    if (auto stream = weak.lock())
                      stream->close(Status::unavailable("no answer"));
                  });
    sessions_[stream.get()] = {.stream = stream,
                               .phase = Phase::AwaitWelcome,
                               .peer = id,
                               .isOurCall = true,
                               .timer = timer};
  }
  stream->start(address, channelArguments(options_), greetingFor(id));
}

/// A call of ours ended before it was a link.
void GrpcTransport::attemptEnded(const TaskId &id, const Status &why,
                                 Lock &lock) {
  Peer &peer = peers_.at(id);
  peer.attempt = nullptr;
  if (isStopping_ || peer.state != LinkState::None)
    return;
  if (isRefusal(why.code())) {
    Status refusal =
        why.withPrefix(strCat("cannot reach ", id, " at ", peer.address, ": "));
    return endWaiters(peer, refusal, lock);
  }
  if (peer.waiters.empty())
    return;
  retryLater(id, peer);
  if (why.code() == StatusCode::Aborted) // crossed: no failure, the peer's call
    return;                              // is on its way
  peer.lastError = why.message();
  int tries = peer.tries;
  lock.unlock();
  if (options_.onConnectRetry)
    options_.onConnectRetry(id, tries, why.message());
}

void GrpcTransport::retryLater(const TaskId &id, Peer &peer) {
  peer.retryTimer = timer_.at(Clock::steady().now() + peer.backoff,
                              [this, id] { tryToConnect(id); });
  auto longer =
      std::chrono::duration_cast<Duration>(peer.backoff * kBackoffGrowth);
  peer.backoff = std::min<Duration>(longer, kLastBackoff);
}

/// A waiter's deadline has come.
void GrpcTransport::expire(const TaskId &id, uint64_t waiter) {
  std::shared_ptr<Stream> abandoned;
  Lock lock(mutex_);
  Peer &peer = peers_.at(id);
  auto it = std::find_if(peer.waiters.begin(), peer.waiters.end(),
                         [&](const Waiter &w) { return w.id == waiter; });
  if (it == peer.waiters.end())
    return;
  Completion done = std::move(it->done);
  peer.waiters.erase(it);
  if (peer.waiters.empty()) {
    timer_.cancel(std::exchange(peer.retryTimer, 0));
    abandoned = std::exchange(peer.attempt, nullptr);
  }
  auto seconds =
      std::chrono::duration<double>(Clock::steady().now() - peer.firstTry);
  Status status = Status::deadlineExceeded(
      strCat("cannot reach ", id, " at ", peer.address, ": ", peer.lastError,
             " (", peer.tries, peer.tries == 1 ? " try in " : " tries in ",
             std::fixed, std::setprecision(1), seconds.count(), " s)"));
  lock.unlock();
  if (abandoned)
    abandoned->close(Status::cancelled("nobody waits for it any more"));
  done(std::move(status));
}

/// Calls all that wait for a link with the peer. Unlocks.
void GrpcTransport::endWaiters(Peer &peer, const Status &status, Lock &lock) {
  std::list<Waiter> waiters = std::exchange(peer.waiters, {});
  lock.unlock();
  for (Waiter &waiter : waiters) {
    timer_.cancel(waiter.timer);
    waiter.done(status);
  }
}

} // namespace dtc
