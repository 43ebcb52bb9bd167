// Mailbox: what happens to a task, in the order in which it happened. Other
// threads post; one thread takes and acts, so that what it owns needs no lock.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "runtime/base/Deadline.h"

namespace dtc {

class Mailbox {
public:
  using Event = std::function<void()>;

  /// Thread-safe; never blocks.
  void post(Event event);
  /// The next event, or an empty one when the deadline passed before it came.
  Event take(Deadline deadline);

private:
  std::mutex mutex_; // guards events_
  std::condition_variable came_;
  std::deque<Event> events_;
};

} // namespace dtc
