#include "runtime/base/Deadline.h"

namespace dtc {
namespace {
class SteadyClock final : public Clock {
public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
};
} // namespace

Clock &Clock::steady() {
  static SteadyClock clock;
  return clock;
}
} // namespace dtc
