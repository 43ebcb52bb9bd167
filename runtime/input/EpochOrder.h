// EpochOrder: in which order an epoch sees the rows of a data set.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace dtc {

/// A function of seed, epoch and number of rows only, the same on every
/// platform: Fisher-Yates with splitmix64, no std::shuffle, whose result is
/// the library's choice. Thread-safe.
class EpochOrder {
public:
  /// Without `shuffle` every epoch has the rows in their order.
  EpochOrder(int64_t rows, uint64_t seed, bool shuffle)
      : rows_(rows), seed_(seed), shuffle_(shuffle) {}

  using Order = std::vector<int64_t>;
  /// A permutation of 0 … rows - 1. Keeps the last one asked for.
  std::shared_ptr<const Order> order(uint64_t epoch) const;

private:
  const int64_t rows_;
  const uint64_t seed_;
  const bool shuffle_;
  mutable std::mutex mutex_; // guards the two below
  mutable uint64_t lastEpoch_ = 0;
  mutable std::shared_ptr<const Order> last_;
};

} // namespace dtc
