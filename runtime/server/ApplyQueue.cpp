#include "runtime/server/ApplyQueue.h"

namespace dtc {

void ApplyQueue::whole(uint32_t replica, const std::function<void()> &arrived) {
  std::lock_guard lock(mutex_);
  whole_.insert(replica);
  if (order_ == OfArrival)
    turns_.push_back(replica);
  if (arrived)
    arrived();
  beginNext();
}

void ApplyQueue::turn(uint32_t replica) {
  std::lock_guard lock(mutex_);
  turns_.push_back(replica);
  beginNext();
}

void ApplyQueue::applied() {
  std::lock_guard lock(mutex_);
  isApplying_ = false;
  beginNext();
}

void ApplyQueue::beginNext() {
  while (!isApplying_ && !turns_.empty() && whole_.count(turns_.front())) {
    uint32_t replica = turns_.front();
    turns_.pop_front();
    whole_.erase(replica);
    isApplying_ = begin_(replica);
  }
}

} // namespace dtc
