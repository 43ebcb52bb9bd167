// Worker: executes one task's part of an entry, step after step. All STEP and
// SERVE activations of a step at once, then all APPLY, then the next step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/executor/Executor.h"

namespace dtc {

class Worker {
public:
  struct Hooks {
    /// A step is done; one call at a time, in step order, from any thread.
    std::function<void(uint64_t step)> stepDone;
    /// Called once, when nothing is under way any more: all steps are done, or
    /// the first error.
    std::function<void(Status)> ended;
  };

  /// `context` must outlive it; its `self` says which programs are executed.
  static Result<std::unique_ptr<Worker>> create(Plan::Ptr plan,
                                                const proto::Entry &entry,
                                                TaskContext &context,
                                                Duration stepTimeout);

  /// Does the task have any part in the entry?
  bool hasWork() const { return !early_.empty() || !late_.empty(); }
  /// Bytes of all arenas of the task's activations.
  uint64_t arenaBytes() const;
  /// Executes steps [first, first + steps), but begins none that is not below
  /// the limit. Call once.
  void start(uint64_t first, uint64_t steps, Hooks hooks);
  /// Raises the limit. Thread-safe.
  void setLimit(uint64_t step);
  /// Ends at once when it waits at the limit (else the rendezvous' abort does).
  void abort(Status why);

private:
  Worker() = default;
  /// An activation, and as whom it is executed.
  struct Unit {
    Executor *executor;
    uint32_t replica;
    TaskId peer;
  };
  void beginStep();
  void beginPhase(const std::vector<Unit> &units, bool isLate);
  void unitDone(Status status, bool isLate);
  void phaseDone(bool isLate);
  void end(Status status);

  TaskContext *context_ = nullptr;
  Duration stepTimeout_{};
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<Unit> early_, late_; // STEP and SERVE; APPLY
  Hooks hooks_;
  uint64_t step_ = 0, end_ = 0; // changed between steps only

  std::mutex mutex_; // guards all below
  size_t running_ = 0;
  Status status_;
  uint64_t limit_ = 0;
  bool isParked_ = false; // waits for the limit
};

} // namespace dtc
