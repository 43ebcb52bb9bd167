// ApplyQueue: which replica's push a task applies next. One at a time, and
// only whole ones: all values of it are there.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <set>

namespace dtc {

/// Thread-safe.
class ApplyQueue {
public:
  enum Order {
    OfArrival, // whoever is whole first
    OfTurns,   // as turn() says: the order of another task
  };
  /// Begins to apply the replica's push; true when it did. Called under the
  /// queue's lock, and must not call back.
  using Begin = std::function<bool(uint32_t replica)>;

  ApplyQueue(Order order, Begin begin)
      : order_(order), begin_(std::move(begin)) {}

  /// The replica's push is whole. `arrived` is called before any later one of
  /// another replica is: it may tell other tasks of the order.
  void whole(uint32_t replica, const std::function<void()> &arrived = {});
  /// It is this replica's turn, after those that were told before.
  void turn(uint32_t replica);
  /// The push that was begun is applied.
  void applied();

private:
  void beginNext();

  const Order order_;
  const Begin begin_;
  std::mutex mutex_; // guards all below
  std::deque<uint32_t> turns_;
  std::set<uint32_t> whole_;
  bool isApplying_ = false;
};

} // namespace dtc
