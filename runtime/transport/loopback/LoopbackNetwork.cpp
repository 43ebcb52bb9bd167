#include "runtime/transport/loopback/LoopbackNetwork.h"

#include <cassert>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "runtime/base/Timer.h"

namespace dtc {
namespace {

/// One thing for a task's thread to do.
struct Item {
  enum Kind { Message, Tensor, Lost, Call } kind;
  TaskId from = {};
  std::string message = {};
  RendezvousKey key = {};
  std::span<const std::byte> bytes = {};
  Completion done = nullptr; // of a tensor, or what a Call calls
  Status status = {};        // what a Lost or a Call hands over
};

struct Waiter {
  TaskId peer;
  Completion done;
  TimePoint since;
  Timer::Id timer;
};

enum class Phase { Absent, Running, Stopping, Ended };

struct Task {
  Phase phase = Phase::Absent;
  TransportHandler *handler = nullptr;
  std::deque<Item> inbox;
  std::condition_variable changed; // for its thread: inbox, phase, isBusy did
  std::condition_variable settled; // for stop(): tensorsOut, isBusy did
  std::set<TaskId> links;
  std::map<TaskId, Status> gone; // peers that left or were lost
  std::list<Waiter> waiters;
  std::map<TaskId, uint64_t> sent;
  size_t tensorsOut = 0; // its tensors that no receiver has seen yet
  bool isBusy = false;   // its handler is being called, by whatever thread

  bool isUp() const {
    return phase == Phase::Running || phase == Phase::Stopping;
  }
  /// Is there nothing that a tensor would overtake?
  bool isIdle() const { return !isBusy && inbox.empty(); }
};

/// Completions to call once the lock is released.
using Calls = std::vector<std::pair<Completion, Status>>;

void run(Calls &calls) {
  for (auto &[done, status] : calls)
    done(std::move(status));
}

} // namespace

struct LoopbackNetwork::Impl {
  std::mutex mutex; // guards tasks
  std::map<TaskId, Task> tasks;
  Timer timer;

  void loop(const TaskId &self);
  void handle(const TaskId &self, Task &task, Item &item);
  void handOver(const TaskId &to, Item item, std::unique_lock<std::mutex> lock);
  void arrived(const TaskId &to, Item &item);
  void tensorSeen(const TaskId &from);
  void link(const TaskId &a, const TaskId &b);
  void expire(const TaskId &self, std::list<Waiter>::iterator waiter);
  void unlink(const TaskId &self, const Status &why, bool isLoss);
  void end(const TaskId &self, const Status &why, bool isLoss, Calls &calls);
  void dropOutgoing(const TaskId &self, Calls &calls);
  void post(Task &task, Completion done, Status status);
  void push(Task &task, Item item);
};

void LoopbackNetwork::Impl::push(Task &task, Item item) {
  task.inbox.push_back(std::move(item));
  if (!task.isBusy) // else whoever is busy notifies
    task.changed.notify_one();
}

void LoopbackNetwork::Impl::post(Task &task, Completion done, Status status) {
  push(task, {.kind = Item::Call,
              .done = std::move(done),
              .status = std::move(status)});
}

/// The thread of a task: handles its inbox, in order, until it has ended.
void LoopbackNetwork::Impl::loop(const TaskId &self) {
  std::unique_lock lock(mutex);
  Task &task = tasks.at(self);
  while (true) {
    // Bounded by stop(), kill() and the destructor, which notify.
    task.changed.wait(lock, [&] {
      return !task.isUp() || (!task.isBusy && !task.inbox.empty());
    });
    if (!task.isUp())
      return;
    Item item = std::move(task.inbox.front());
    task.inbox.pop_front();
    task.isBusy = true;
    lock.unlock();
    handle(self, task, item);
    item = {.kind = Item::Call};
    lock.lock();
    task.isBusy = false;
  }
}

void LoopbackNetwork::Impl::handle(const TaskId &self, Task &task, Item &item) {
  switch (item.kind) {
  case Item::Message:
    return task.handler->onMessage(item.from, std::move(item.message));
  case Item::Lost:
    return task.handler->onPeerLost(item.from, std::move(item.status));
  case Item::Call:
    return item.done(std::move(item.status));
  case Item::Tensor:
    break;
  }
  task.handler->onTensor(item.key, item.bytes.size(), 0, item.bytes);
  arrived(self, item);
}

/// Calls the handler of an idle task on the sender's thread: a tensor that
/// somebody waits for costs no change of threads.
void LoopbackNetwork::Impl::handOver(const TaskId &to, Item item,
                                     std::unique_lock<std::mutex> lock) {
  Task &task = tasks.at(to);
  task.isBusy = true;
  lock.unlock();
  task.handler->onTensor(item.key, item.bytes.size(), 0, item.bytes);
  lock.lock();
  task.isBusy = false;
  if (!task.inbox.empty())
    task.changed.notify_one();
  if (!task.isUp())
    task.settled.notify_all();
  lock.unlock();
  arrived(to, item);
}

/// The receiver has seen the tensor.
void LoopbackNetwork::Impl::arrived(const TaskId &to, Item &item) {
  {
    std::lock_guard lock(mutex);
    tasks.at(item.from).sent[to] += item.bytes.size();
  }
  item.done(Status::ok());
  std::lock_guard lock(mutex);
  tensorSeen(item.from);
}

/// A tensor is on its way no more. Call it under the lock.
void LoopbackNetwork::Impl::tensorSeen(const TaskId &from) {
  Task &sender = tasks.at(from);
  if (--sender.tensorsOut == 0)
    sender.settled.notify_all();
}

void LoopbackNetwork::Impl::link(const TaskId &a, const TaskId &b) {
  for (auto &[self, peer] : {std::pair(a, b), std::pair(b, a)}) {
    Task &task = tasks.at(self);
    task.links.insert(peer);
    for (auto it = task.waiters.begin(); it != task.waiters.end();) {
      // A waiter whose timer already runs is expire()'s.
      if (it->peer == peer && timer.cancel(it->timer)) {
        post(task, std::move(it->done), Status::ok());
        it = task.waiters.erase(it);
      } else {
        ++it;
      }
    }
  }
}

void LoopbackNetwork::Impl::expire(const TaskId &self,
                                   std::list<Waiter>::iterator waiter) {
  std::unique_lock lock(mutex);
  Task &task = tasks.at(self);
  auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(
      Clock::steady().now() - waiter->since);
  Completion done = std::move(waiter->done);
  Status status = Status::deadlineExceeded(
      strCat("cannot reach ", waiter->peer,
             " at this process: it has not started (1 try in ", waited.count(),
             " ms)"));
  task.waiters.erase(waiter);
  lock.unlock();
  done(std::move(status));
}

/// Cuts all links of `self`; its peers keep `why`.
void LoopbackNetwork::Impl::unlink(const TaskId &self, const Status &why,
                                   bool isLoss) {
  for (const TaskId &peer : std::exchange(tasks.at(self).links, {})) {
    Task &task = tasks.at(peer);
    task.links.erase(self);
    task.gone.emplace(self, why);
    if (isLoss && task.phase == Phase::Running)
      push(task, {.kind = Item::Lost, .from = self, .status = why});
  }
}

/// What stop() and kill() share: the task takes part no more.
void LoopbackNetwork::Impl::end(const TaskId &self, const Status &why,
                                bool isLoss, Calls &calls) {
  Task &task = tasks.at(self);
  task.phase = Phase::Ended;
  unlink(self, why, isLoss);
  for (Item &item : std::exchange(task.inbox, {})) {
    if (item.kind == Item::Call)
      calls.emplace_back(std::move(item.done), std::move(item.status));
    if (item.kind != Item::Tensor)
      continue;
    calls.emplace_back(std::move(item.done), why);
    tensorSeen(item.from);
  }
  for (auto it = task.waiters.begin(); it != task.waiters.end();) {
    if (timer.cancel(it->timer)) {
      calls.emplace_back(std::move(it->done),
                         Status::cancelled("the transport was stopped"));
      it = task.waiters.erase(it);
    } else {
      ++it;
    }
  }
  task.changed.notify_all();
}

/// Takes the tensors of `self` that nobody has seen yet out of all inboxes.
void LoopbackNetwork::Impl::dropOutgoing(const TaskId &self, Calls &calls) {
  for (auto &[id, task] : tasks) {
    std::deque<Item> kept;
    for (Item &item : task.inbox) {
      if (item.kind == Item::Tensor && item.from == self) {
        calls.emplace_back(std::move(item.done),
                           Status::cancelled("the transport was stopped"));
        --tasks.at(self).tensorsOut;
      } else {
        kept.push_back(std::move(item));
      }
    }
    task.inbox = std::move(kept);
  }
}

class LoopbackTransport final : public Transport {
public:
  LoopbackTransport(LoopbackNetwork::Impl &network, TaskId self)
      : network_(network), self_(std::move(self)) {}
  ~LoopbackTransport() override;

  const TaskId &self() const override { return self_; }
  Status start(TransportHandler &handler) override;
  void connect(const TaskId &peer, Deadline deadline, Completion done) override;
  Status sendMessage(const TaskId &peer, std::string message) override;
  void sendTensor(const TaskId &peer, const RendezvousKey &key,
                  std::span<const std::byte> bytes, Completion done) override;
  std::map<TaskId, uint64_t> tensorBytesSent() const override;
  void stop(Deadline deadline) override;

private:
  Status checkLink(const TaskId &peer) const;

  LoopbackNetwork::Impl &network_;
  const TaskId self_;
  std::mutex stopMutex_; // held while a stop() is at work; guards thread_
  std::thread thread_;
};

LoopbackTransport::~LoopbackTransport() {
  Calls calls;
  {
    std::lock_guard lock(network_.mutex);
    if (network_.tasks.at(self_).isUp()) {
      network_.end(self_, Status::unavailable("connection closed"), true,
                   calls);
      network_.dropOutgoing(self_, calls);
    }
  }
  run(calls);
  stop(Deadline::after(Duration::zero()));
}

Status LoopbackTransport::start(TransportHandler &handler) {
  std::lock_guard stopLock(stopMutex_);
  std::lock_guard lock(network_.mutex);
  Task &task = network_.tasks.at(self_);
  if (task.phase != Phase::Absent)
    return Status::failedPrecondition(
        strCat("the transport of ", self_, " was started before"));
  task.phase = Phase::Running;
  task.handler = &handler;
  thread_ = std::thread([this] { network_.loop(self_); });
  for (auto &[id, other] : network_.tasks) {
    if (other.phase != Phase::Running)
      continue;
    bool isAwaited = false;
    for (const Waiter &waiter : other.waiters)
      isAwaited |= waiter.peer == self_;
    if (isAwaited)
      network_.link(id, self_);
  }
  return Status::ok();
}

void LoopbackTransport::connect(const TaskId &peer, Deadline deadline,
                                Completion done) {
  std::unique_lock lock(network_.mutex);
  Task &task = network_.tasks.at(self_);
  if (task.phase != Phase::Running) {
    lock.unlock();
    return done(Status::cancelled(
        strCat("the transport of ", self_, " is not running")));
  }
  auto other = network_.tasks.find(peer);
  if (other == network_.tasks.end() || peer == self_)
    return network_.post(task, std::move(done),
                         Status::invalidArgument(
                             strCat(self_, " cannot connect to ", peer,
                                    ": it is no other task of the cluster")));
  if (auto gone = task.gone.find(peer); gone != task.gone.end())
    return network_.post(
        task, std::move(done),
        gone->second.withPrefix(strCat("cannot reach ", peer, ": ")));
  if (other->second.phase == Phase::Running) {
    network_.link(self_, peer);
    return network_.post(task, std::move(done), Status::ok());
  }
  auto waiter = task.waiters.insert(
      task.waiters.end(),
      {peer, std::move(done), Clock::steady().now(), Timer::Id(0)});
  waiter->timer = network_.timer.at(
      deadline.when(), [this, waiter] { network_.expire(self_, waiter); });
}

/// Whether something can be sent to `peer`. Call it under the lock.
Status LoopbackTransport::checkLink(const TaskId &peer) const {
  const Task &task = network_.tasks.at(self_);
  if (task.phase == Phase::Running && task.links.contains(peer))
    return Status::ok();
  auto gone = task.gone.find(peer);
  if (gone != task.gone.end())
    return gone->second.withPrefix(strCat("cannot send to ", peer, ": "));
  return Status::unavailable(
      strCat("cannot send to ", peer, ": ", self_, " has no link to it"));
}

Status LoopbackTransport::sendMessage(const TaskId &peer, std::string message) {
  std::lock_guard lock(network_.mutex);
  DTC_RETURN_IF_ERROR(checkLink(peer));
  network_.push(
      network_.tasks.at(peer),
      {.kind = Item::Message, .from = self_, .message = std::move(message)});
  return Status::ok();
}

void LoopbackTransport::sendTensor(const TaskId &peer, const RendezvousKey &key,
                                   std::span<const std::byte> bytes,
                                   Completion done) {
  assert(key.source == self_ && "a task sends only what it made");
  std::unique_lock lock(network_.mutex);
  Task &task = network_.tasks.at(self_);
  Status status = checkLink(peer);
  if (status.isOk()) {
    ++task.tensorsOut;
    Task &receiver = network_.tasks.at(peer);
    Item item = {.kind = Item::Tensor,
                 .from = self_,
                 .key = key,
                 .bytes = bytes,
                 .done = std::move(done)};
    if (receiver.isIdle())
      return network_.handOver(peer, std::move(item), std::move(lock));
    return network_.push(receiver, std::move(item));
  }
  if (task.isUp())
    return network_.post(task, std::move(done), std::move(status));
  lock.unlock(); // no thread is left that could call
  done(std::move(status));
}

std::map<TaskId, uint64_t> LoopbackTransport::tensorBytesSent() const {
  std::lock_guard lock(network_.mutex);
  return network_.tasks.at(self_).sent;
}

void LoopbackTransport::stop(Deadline deadline) {
  std::lock_guard stopLock(stopMutex_);
  Calls calls;
  std::unique_lock lock(network_.mutex);
  Task &task = network_.tasks.at(self_);
  auto isFlushed = [&] { return task.tensorsOut == 0; };
  if (task.phase == Phase::Absent)
    task.phase = Phase::Ended;
  if (task.phase == Phase::Running) {
    task.phase = Phase::Stopping;
    if (deadline.isInfinite())
      task.settled.wait(lock, isFlushed);
    else
      task.settled.wait_until(lock, deadline.when(), isFlushed);
    network_.dropOutgoing(self_, calls);
    if (task.isUp()) // else it was killed meanwhile
      network_.end(self_, Status::unavailable(strCat(self_, " has left")),
                   false, calls);
  }
  lock.unlock();
  run(calls);
  if (thread_.joinable())
    thread_.join();
  // Tensors that a receiver is just looking at, and a sender that is just in
  // our handler. Bounded by the handlers, which must not block.
  lock.lock();
  task.settled.wait(lock, [&] { return isFlushed() && !task.isBusy; });
}

LoopbackNetwork::LoopbackNetwork(std::vector<TaskId> tasks)
    : impl_(std::make_unique<Impl>()) {
  for (const TaskId &task : tasks)
    impl_->tasks[task];
}

LoopbackNetwork::~LoopbackNetwork() = default;

std::unique_ptr<Transport> LoopbackNetwork::endpoint(const TaskId &task) {
  assert(impl_->tasks.contains(task) && "no task of this network");
  return std::make_unique<LoopbackTransport>(*impl_, task);
}

void LoopbackNetwork::kill(const TaskId &task) {
  Calls calls;
  {
    std::lock_guard lock(impl_->mutex);
    if (impl_->tasks.at(task).isUp())
      impl_->end(task, Status::unavailable("connection closed"), true, calls);
    else
      impl_->tasks.at(task).phase = Phase::Ended;
  }
  run(calls);
}

} // namespace dtc
