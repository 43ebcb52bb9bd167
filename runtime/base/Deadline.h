// Clock and Deadline: how the runtime waits. Monotonic time only.
#pragma once

#include <chrono>

namespace dtc {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// Where "now" comes from. Simulation replaces it. Thread-safe.
class Clock {
public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
  /// The machine's monotonic clock; lives as long as the program.
  static Clock &steady();
};

/// The moment after which a wait must give up.
class Deadline {
public:
  static Deadline after(Duration d, const Clock &clock = Clock::steady()) {
    return Deadline(clock.now() + d);
  }
  static Deadline at(TimePoint when) { return Deadline(when); }
  /// For waits that something else bounds; say in a comment what does.
  static Deadline infinite() { return Deadline(TimePoint::max()); }

  TimePoint when() const { return when_; }
  bool isInfinite() const { return when_ == TimePoint::max(); }
  bool hasPassed(const Clock &clock = Clock::steady()) const {
    return clock.now() >= when_;
  }

private:
  explicit Deadline(TimePoint when) : when_(when) {}
  TimePoint when_;
};

} // namespace dtc
