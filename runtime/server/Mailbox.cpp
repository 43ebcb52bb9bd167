#include "runtime/server/Mailbox.h"

namespace dtc {

void Mailbox::post(Event event) {
  std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
  // Under the lock: the taker may end this mailbox as soon as it has the event.
  came_.notify_one();
}

Mailbox::Event Mailbox::take(Deadline deadline) {
  std::unique_lock lock(mutex_);
  auto isHere = [&] { return !events_.empty(); };
  if (deadline.isInfinite())
    came_.wait(lock, isHere);
  else if (!came_.wait_until(lock, deadline.when(), isHere))
    return {};
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

} // namespace dtc
