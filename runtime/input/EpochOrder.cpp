#include "runtime/input/EpochOrder.h"

#include <numeric>
#include <utility>

namespace dtc {
namespace {

/// Steele, Lea and Flood's generator: any state is a good one.
class SplitMix64 {
public:
  explicit SplitMix64(uint64_t state) : state_(state) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, bound): draws that would favour some numbers are thrown
  /// away (Lemire).
  uint64_t below(uint64_t bound) {
    uint64_t unfair = -bound % bound;
    while (true) {
      auto product = static_cast<unsigned __int128>(next()) * bound;
      if (static_cast<uint64_t>(product) >= unfair)
        return static_cast<uint64_t>(product >> 64);
    }
  }

private:
  uint64_t state_;
};

} // namespace

std::shared_ptr<const EpochOrder::Order>
EpochOrder::order(uint64_t epoch) const {
  std::lock_guard lock(mutex_);
  if (last_ && (lastEpoch_ == epoch || !shuffle_))
    return last_;
  auto order = std::make_shared<Order>(rows_);
  std::iota(order->begin(), order->end(), int64_t(0));
  if (shuffle_) {
    // Through the generator once: seeds and epochs that are neighbours must not
    // give streams that overlap.
    uint64_t start = SplitMix64(seed_).next() ^ epoch;
    SplitMix64 random(SplitMix64(start).next());
    for (int64_t i = rows_ - 1; i > 0; --i)
      std::swap((*order)[i], (*order)[random.below(uint64_t(i) + 1)]);
  }
  lastEpoch_ = epoch;
  last_ = order;
  return order;
}

} // namespace dtc
