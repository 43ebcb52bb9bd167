// ThreadPool: the process's one pool of compute threads.
//
// Two kinds of work: tasks (schedule), and index ranges (parallelFor) that a
// kernel is split into. Results never depend on how a range is split.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace dtc {

class ThreadPool {
public:
  /// `threads` >= 1 workers. With 1, parallelFor runs on the calling thread.
  explicit ThreadPool(unsigned threads);
  /// Runs what is queued, then joins.
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  unsigned threads() const;
  /// Runs `task` on a pool thread, soon. Never blocks. Thread-safe.
  void schedule(std::function<void()> task);
  /// Calls body(begin, end) over a partition of [0, range) in pieces of at
  /// least `grain`, on pool threads and on the caller; returns when all are
  /// done. May be called from a pool thread (it helps, so it cannot starve).
  void parallelFor(int64_t range, int64_t grain,
                   const std::function<void(int64_t, int64_t)> &body);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace dtc
