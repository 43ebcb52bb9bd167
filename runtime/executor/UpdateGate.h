// UpdateGate: keeps the readers of a task's variables and its asynchronous
// updates apart, so that a reader sees whole pushes only, and counts how many
// pushes came between a replica's reads and its own push.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace dtc {

/// How old the values were that pushes were computed from: for each push, how
/// many others a task applied between the replica's reads there and this push.
struct Staleness {
  uint64_t pushes = 0; // measured
  uint64_t sum = 0;    // over them
  uint64_t max = 0;

  void add(const Staleness &other);
  double mean() const { return pushes ? double(sum) / pushes : 0; }
};

/// Many readers or one update, in the order in which they asked. Nobody is
/// blocked: who cannot enter is called when it can. Thread-safe.
class UpdateGate {
public:
  /// Called once, by the thread that makes room; must not block.
  using Entered = std::function<void()>;

  explicit UpdateGate(uint32_t replicas) : readAt_(replicas) {}

  /// True: the caller is in. False: `later` is called once it is.
  bool enterToRead(Entered later);
  void leaveRead();
  bool enterToUpdate(Entered later);
  void leaveUpdate();

  /// The replica begins to read what its next push will be computed from.
  void noteRead(uint32_t replica);
  /// The replica's push is applied now. Counts it if it has read.
  void notePush(uint32_t replica);
  Staleness staleness() const;

private:
  struct Waiting {
    bool isUpdate;
    Entered later;
  };
  bool enter(bool isUpdate, Entered &later);
  void admit(std::unique_lock<std::mutex> lock);

  mutable std::mutex mutex_; // guards all below
  std::deque<Waiting> waiting_;
  size_t readers_ = 0;
  bool isUpdating_ = false;
  uint64_t applied_ = 0;         // pushes so far
  std::vector<uint64_t> readAt_; // by replica: 1 + `applied_` when it read; 0
  Staleness staleness_;
};

} // namespace dtc
