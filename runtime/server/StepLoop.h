// StepLoop: step after step of what belongs together: first STEP and SERVE
// activations, all at once, then APPLY, then the next step.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "runtime/executor/Executor.h"

namespace dtc {

class StepLoop {
public:
  /// An activation, and as whom it is executed.
  struct Unit {
    Executor *executor;
    uint32_t replica;
    TaskId peer;
  };
  struct Hooks {
    /// A step is done; one call at a time, in step order, from any thread.
    std::function<void(uint64_t step)> stepDone;
    /// All but APPLY of a step is done; the step goes on with apply(). Without
    /// this hook it goes on by itself.
    std::function<void()> isWhole;
    /// Called once, when nothing is under way any more: all steps are done, or
    /// the first error.
    std::function<void(Status)> ended;
    /// Whom units pose as in a step, instead of their replica; may be empty.
    std::function<uint32_t(uint64_t step)> replicaAt;
  };

  StepLoop(ThreadPool &pool, Duration stepTimeout)
      : pool_(pool), stepTimeout_(stepTimeout) {}

  /// Before start().
  void add(const Unit &unit, bool isApply) {
    (isApply ? late_ : early_).push_back(unit);
  }
  bool hasWork() const { return !early_.empty() || !late_.empty(); }

  /// Executes steps [first, first + steps), but begins none that is not below
  /// the limit. Call once.
  void start(uint64_t first, uint64_t steps, Hooks hooks);
  /// Raises the limit. Thread-safe.
  void setLimit(uint64_t step);
  /// Goes on with a step that is whole; false when it was aborted meanwhile.
  bool apply();
  /// Ends at once when it waits for a limit or for apply() (else the
  /// rendezvous' abort does).
  void abort(Status why);

private:
  enum State { Running, AtLimit, Whole };
  void beginStep();
  void beginPhase(const std::vector<Unit> &units, bool isLate);
  void unitDone(Status status, bool isLate);
  void handOver();
  void stepDone();
  void end(Status status);

  ThreadPool &pool_;
  const Duration stepTimeout_;
  std::vector<Unit> early_, late_; // STEP and SERVE; APPLY
  Hooks hooks_;
  uint64_t step_ = 0, end_ = 0; // changed between steps only

  std::mutex mutex_; // guards all below
  size_t running_ = 0;
  Status status_;
  uint64_t limit_ = 0;
  State state_ = Running;
  // hooks_.isWhole is being called: until it is over the loop does not end, nor
  // goes beyond the step.
  bool isHandingOver_ = false, isLateDone_ = false;
};

} // namespace dtc
