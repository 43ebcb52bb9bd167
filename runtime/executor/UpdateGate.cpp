#include "runtime/executor/UpdateGate.h"

#include <algorithm>
#include <cassert>

namespace dtc {

void Staleness::add(const Staleness &other) {
  pushes += other.pushes;
  sum += other.sum;
  max = std::max(max, other.max);
}

/// Behind whoever waits already: a stream of readers keeps no update out.
bool UpdateGate::enter(bool isUpdate, Entered &later) {
  std::lock_guard lock(mutex_);
  if (isUpdating_ || !waiting_.empty() || (isUpdate && readers_ > 0)) {
    waiting_.push_back({isUpdate, std::move(later)});
    return false;
  }
  isUpdate ? void(isUpdating_ = true) : void(++readers_);
  return true;
}

bool UpdateGate::enterToRead(Entered later) { return enter(false, later); }
bool UpdateGate::enterToUpdate(Entered later) { return enter(true, later); }

void UpdateGate::leaveRead() {
  std::unique_lock lock(mutex_);
  assert(readers_ > 0);
  --readers_;
  admit(std::move(lock));
}

void UpdateGate::leaveUpdate() {
  std::unique_lock lock(mutex_);
  assert(isUpdating_);
  isUpdating_ = false;
  ++applied_;
  admit(std::move(lock));
}

/// Lets in the first who wait: one update, or all readers before the next.
void UpdateGate::admit(std::unique_lock<std::mutex> lock) {
  std::vector<Entered> entered;
  while (!waiting_.empty() && !isUpdating_ &&
         !(waiting_.front().isUpdate && readers_ > 0)) {
    waiting_.front().isUpdate ? void(isUpdating_ = true) : void(++readers_);
    entered.push_back(std::move(waiting_.front().later));
    waiting_.pop_front();
  }
  lock.unlock();
  for (const Entered &later : entered)
    later();
}

void UpdateGate::noteRead(uint32_t replica) {
  std::lock_guard lock(mutex_);
  readAt_[replica] = 1 + applied_;
}

void UpdateGate::notePush(uint32_t replica) {
  std::lock_guard lock(mutex_);
  if (readAt_[replica] == 0)
    return; // this task gives it nothing to read
  uint64_t between = 1 + applied_ - readAt_[replica];
  staleness_.add({1, between, between});
}

Staleness UpdateGate::staleness() const {
  std::lock_guard lock(mutex_);
  return staleness_;
}

} // namespace dtc
