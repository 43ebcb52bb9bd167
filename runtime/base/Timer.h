// Timer: calls functions at given moments, on one thread of its own. What the
// runtime uses instead of sleeping.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/base/Deadline.h"

namespace dtc {

/// Thread-safe. Functions run one at a time, earliest moment first, and in the
/// order of at() for equal moments; they must not block.
class Timer {
public:
  using Id = uint64_t; // never 0

  Timer();
  /// Drops what has not begun, waits for what runs. Not from its own thread.
  ~Timer();
  Timer(const Timer &) = delete;

  /// Runs `function` once `when` has come. TimePoint::max() means never.
  Id at(TimePoint when, std::function<void()> function);
  /// Runs `function` soon.
  Id post(std::function<void()> function);
  /// True when the function will not run; false when it ran or is running.
  bool cancel(Id id);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace dtc
