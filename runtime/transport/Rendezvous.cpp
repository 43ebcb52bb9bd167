#include "runtime/transport/Rendezvous.h"

#include <cassert>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/base/Timer.h"

namespace dtc {
namespace {

/// A key that somebody asked for, or sends, or both.
struct Entry {
  // The receive. `done` is empty when nobody asked yet.
  Completion done;
  std::span<std::byte> destination;
  TimePoint askedAt;
  Timer::Id timer = 0;

  // What arrived: in `destination` when there is one, else in `kept`.
  bool hasArrivals = false;
  uint64_t totalBytes = 0;
  uint64_t arrivedBytes = 0;
  std::vector<std::byte> kept;

  // deliver() copies into `destination` without holding the lock; whoever
  // wants to end the receive meanwhile leaves the reason in `failure`.
  bool isCopying = false;
  Status failure;
  // Its receive has ended with an error: swallow what still arrives.
  bool isDiscarded = false;

  bool isComplete() const { return hasArrivals && arrivedBytes == totalBytes; }
};

using Table = std::map<RendezvousKey, Entry>;

} // namespace

struct Rendezvous::Impl {
  mutable std::mutex mutex; // guards table, aborted
  Table table;
  Status aborted;
  Timer timer; // ends first: its functions use the table

  void finish(Table::iterator entry, Status status,
              std::unique_lock<std::mutex> &lock);
  void fail(Table::iterator entry, Status status,
            std::unique_lock<std::mutex> &lock);
  void expire(const RendezvousKey &key, TimePoint askedAt);
  void clear(const Status &why);
  Status accept(Entry &entry, const RendezvousKey &key, uint64_t totalBytes,
                uint64_t offset, size_t bytes);
};

/// Ends the entry's receive and forgets the entry. Unlocks, then calls.
void Rendezvous::Impl::finish(Table::iterator entry, Status status,
                              std::unique_lock<std::mutex> &lock) {
  Completion done = std::move(entry->second.done);
  Timer::Id id = entry->second.timer;
  table.erase(entry);
  lock.unlock();
  if (id)
    timer.cancel(id);
  done(std::move(status));
}

/// Ends the entry's receive with an error; what is still on its way to it will
/// be swallowed. Unlocks, then calls (or lets deliver() call after its copy).
void Rendezvous::Impl::fail(Table::iterator entry, Status status,
                            std::unique_lock<std::mutex> &lock) {
  Entry &e = entry->second;
  if (e.isCopying) {
    if (e.failure.isOk())
      e.failure = std::move(status);
    return lock.unlock();
  }
  if (!e.hasArrivals || e.isComplete())
    return finish(entry, std::move(status), lock);
  e.isDiscarded = true;
  e.destination = {};
  e.kept = {};
  Completion done = std::exchange(e.done, nullptr);
  Timer::Id id = std::exchange(e.timer, 0);
  lock.unlock();
  if (id)
    timer.cancel(id);
  done(std::move(status));
}

void Rendezvous::Impl::expire(const RendezvousKey &key, TimePoint askedAt) {
  std::unique_lock lock(mutex);
  auto entry = table.find(key);
  if (entry == table.end() || !entry->second.done ||
      entry->second.askedAt != askedAt)
    return;
  Entry &e = entry->second;
  e.timer = 0;
  auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(
      Clock::steady().now() - askedAt);
  std::string message =
      strCat("waited ", waited.count(), " ms for ", key.toString());
  message += e.hasArrivals ? strCat(": ", e.arrivedBytes, " of ", e.totalBytes,
                                    " bytes came")
                           : std::string(": nothing came");
  fail(entry, Status::deadlineExceeded(std::move(message)), lock);
}

/// Empties the table and ends all receives with `why`.
void Rendezvous::Impl::clear(const Status &why) {
  std::vector<std::pair<Completion, Timer::Id>> ended;
  {
    std::lock_guard lock(mutex);
    for (auto it = table.begin(); it != table.end();) {
      Entry &e = it->second;
      if (e.isCopying) { // ended by deliver(), after its copy
        if (e.failure.isOk())
          e.failure = why;
        ++it;
        continue;
      }
      if (e.done)
        ended.emplace_back(std::move(e.done), e.timer);
      it = table.erase(it);
    }
  }
  for (auto &[done, id] : ended) {
    if (id)
      timer.cancel(id);
    done(why);
  }
}

/// Whether this piece is the next one of its tensor, and the tensor the one
/// that the receive expects.
Status Rendezvous::Impl::accept(Entry &entry, const RendezvousKey &key,
                                uint64_t totalBytes, uint64_t offset,
                                size_t bytes) {
  if (!entry.hasArrivals) {
    if (entry.done && totalBytes != entry.destination.size())
      return Status::dataLoss(strCat("recv of ", key.toString(), ": got ",
                                     totalBytes, " bytes, the plan says ",
                                     entry.destination.size()));
    entry.hasArrivals = true;
    entry.totalBytes = totalBytes;
  } else if (entry.isCopying || entry.isComplete()) {
    return Status::dataLoss(
        strCat("recv of ", key.toString(), ": the tensor came twice"));
  }
  if (totalBytes != entry.totalBytes || offset != entry.arrivedBytes ||
      bytes > totalBytes - offset)
    return Status::dataLoss(
        strCat("recv of ", key.toString(), ": got bytes ", offset, " to ",
               offset + bytes, " of ", totalBytes, ", expected those from ",
               entry.arrivedBytes, " of ", entry.totalBytes));
  return Status::ok();
}

Rendezvous::Rendezvous() : impl_(std::make_unique<Impl>()) {}

Rendezvous::~Rendezvous() {
  abort(Status::cancelled("the rendezvous was closed"));
}

void Rendezvous::recv(const RendezvousKey &key,
                      std::span<std::byte> destination, Deadline deadline,
                      Completion done) {
  std::unique_lock lock(impl_->mutex);
  if (!impl_->aborted.isOk()) {
    Status why = impl_->aborted;
    lock.unlock();
    return done(std::move(why));
  }
  auto entry = impl_->table.try_emplace(key).first;
  Entry &e = entry->second;
  if (e.done || e.isDiscarded) {
    lock.unlock();
    return done(Status::alreadyExists(
        strCat("recv of ", key.toString(), " was asked for twice")));
  }
  e.done = std::move(done);
  e.destination = destination;
  e.askedAt = Clock::steady().now();
  if (!e.failure.isOk())
    return impl_->finish(entry, Status(e.failure), lock);
  if (e.hasArrivals && e.totalBytes != destination.size()) {
    Status why = Status::dataLoss(strCat("recv of ", key.toString(), ": got ",
                                         e.totalBytes, " bytes, the plan says ",
                                         destination.size()));
    return impl_->fail(entry, std::move(why), lock);
  }
  if (!e.kept.empty()) {
    std::memcpy(destination.data(), e.kept.data(), e.kept.size());
    e.kept = {};
  }
  if (e.isComplete())
    return impl_->finish(entry, Status::ok(), lock);
  if (!deadline.isInfinite())
    e.timer = impl_->timer.at(deadline.when(),
                              [impl = impl_.get(), key, askedAt = e.askedAt] {
                                impl->expire(key, askedAt);
                              });
}

void Rendezvous::deliver(const RendezvousKey &key, uint64_t totalBytes,
                         uint64_t offset, std::span<const std::byte> bytes) {
  std::unique_lock lock(impl_->mutex);
  if (!impl_->aborted.isOk())
    return;
  auto entry = impl_->table.try_emplace(key).first;
  Entry &e = entry->second;
  if (!e.failure.isOk())
    return; // already spoiled; its receive will learn why
  if (e.isDiscarded) {
    e.arrivedBytes = offset + bytes.size();
    if (e.arrivedBytes >= e.totalBytes)
      impl_->table.erase(entry);
    return;
  }
  Status status = impl_->accept(e, key, totalBytes, offset, bytes.size());
  if (!status.isOk()) {
    if (e.done)
      return impl_->fail(entry, std::move(status), lock);
    e.failure = std::move(status);
    return;
  }
  if (!e.done) {
    // Not reserved in full: the total is only what the peer claims.
    e.kept.insert(e.kept.end(), bytes.begin(), bytes.end());
    e.arrivedBytes += bytes.size();
    return;
  }
  if (!bytes.empty()) {
    // A copy may take its time, and others deliver too: not under the lock.
    e.isCopying = true;
    lock.unlock();
    std::memcpy(e.destination.data() + offset, bytes.data(), bytes.size());
    lock.lock();
    e.isCopying = false;
  }
  e.arrivedBytes += bytes.size();
  if (!e.failure.isOk())
    impl_->finish(entry, Status(e.failure), lock);
  else if (e.isComplete())
    impl_->finish(entry, Status::ok(), lock);
}

void Rendezvous::abort(Status why) {
  assert(!why.isOk() && "an abort needs a reason");
  {
    std::lock_guard lock(impl_->mutex);
    if (!impl_->aborted.isOk())
      return;
    impl_->aborted = why;
  }
  impl_->clear(why);
}

Status Rendezvous::status() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->aborted;
}

void Rendezvous::reset() {
  impl_->clear(Status::cancelled("the rendezvous was reset"));
  std::lock_guard lock(impl_->mutex);
  impl_->aborted = Status::ok();
}

} // namespace dtc
