#include "runtime/transport/Rendezvous.h"

#include <algorithm>
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
  TimePoint deadline = TimePoint::max();

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
  mutable std::mutex mutex; // guards all but timer
  Table table;
  Status aborted;
  // One timer for all receives, which nearly all end long before: it looks at
  // the table no later than the earliest deadline.
  TimePoint nextLook = TimePoint::max();
  Timer timer; // ends first: its functions use the table

  void finish(Table::iterator entry, Status status,
              std::unique_lock<std::mutex> &lock);
  void fail(Table::iterator entry, Status status,
            std::unique_lock<std::mutex> &lock);
  void watch(TimePoint deadline);
  void look(TimePoint due);
  void expire(Table::iterator entry, std::unique_lock<std::mutex> &lock);
  void clear(const Status &why);
  Status accept(Entry &entry, const RendezvousKey &key, uint64_t totalBytes,
                uint64_t offset, size_t bytes);
};

/// Ends the entry's receive and forgets the entry. Unlocks, then calls.
void Rendezvous::Impl::finish(Table::iterator entry, Status status,
                              std::unique_lock<std::mutex> &lock) {
  Completion done = std::move(entry->second.done);
  table.erase(entry);
  lock.unlock();
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
  lock.unlock();
  done(std::move(status));
}

/// Sees to it that the table is looked at when `deadline` has come. Call it
/// under the lock.
void Rendezvous::Impl::watch(TimePoint deadline) {
  if (deadline >= nextLook)
    return;
  nextLook = deadline;
  timer.at(deadline, [this, deadline] { look(deadline); });
}

/// Ends the receives whose deadline has passed, then waits for the next one's.
void Rendezvous::Impl::look(TimePoint due) {
  std::unique_lock lock(mutex);
  if (nextLook != due)
    return; // an earlier look has taken over
  nextLook = TimePoint::max();
  TimePoint now = Clock::steady().now(), next = TimePoint::max();
  std::vector<RendezvousKey> late;
  for (const auto &[key, entry] : table)
    if (entry.done && entry.deadline <= now)
      late.push_back(key);
    else if (entry.done)
      next = std::min(next, entry.deadline);
  watch(next);
  for (const RendezvousKey &key : late) {
    auto entry = table.find(key);
    if (entry != table.end() && entry->second.done &&
        entry->second.deadline <= now)
      expire(entry, lock);
    if (!lock.owns_lock())
      lock.lock();
  }
}

/// Unlocks, then calls.
void Rendezvous::Impl::expire(Table::iterator entry,
                              std::unique_lock<std::mutex> &lock) {
  Entry &e = entry->second;
  e.deadline = TimePoint::max(); // told once, even if a copy is under way
  auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(
      Clock::steady().now() - e.askedAt);
  std::string message =
      strCat("waited ", waited.count(), " ms for ", entry->first.toString());
  message += e.hasArrivals ? strCat(": ", e.arrivedBytes, " of ", e.totalBytes,
                                    " bytes came")
                           : std::string(": nothing came");
  fail(entry, Status::deadlineExceeded(std::move(message)), lock);
}

/// Empties the table and ends all receives with `why`.
void Rendezvous::Impl::clear(const Status &why) {
  std::vector<Completion> ended;
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
        ended.push_back(std::move(e.done));
      it = table.erase(it);
    }
  }
  for (Completion &done : ended)
    done(why);
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
  std::vector<std::byte> kept = std::move(e.kept);
  if (e.isComplete()) {
    Completion completion = std::move(e.done);
    impl_->table.erase(entry);
    lock.unlock(); // a copy may take its time, and others deliver too
    std::copy(kept.begin(), kept.end(), destination.begin());
    return completion(Status::ok());
  }
  std::copy(kept.begin(), kept.end(), destination.begin());
  e.deadline = deadline.when();
  impl_->watch(e.deadline);
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
