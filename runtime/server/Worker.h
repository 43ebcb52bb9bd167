// Worker: executes one task's part of an entry, step after step.
//
// With update sync all of the task's activations go in step: all STEP and SERVE
// of a step, then APPLY, then the next. With update async there is a *lane* for
// each replica, with a pace of its own: what the task does in it (STEP, if it
// is the replica; SERVE of the replica), then APPLY of the replica's push, then
// the lane's next step. Pushes are applied one by one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/server/ApplyQueue.h"
#include "runtime/server/StepLoop.h"

namespace dtc {

class Worker {
public:
  struct Options {
    Duration stepTimeout = std::chrono::seconds(120); // for one receive
    /// Update async: one push after the other, in replica order, each of what
    /// was read when the one before was applied.
    bool isReplay = false;
    /// See RunOptions.
    std::function<uint32_t(uint64_t step)> replicaAt;
  };
  struct Hooks {
    /// A step of the lane is done; in step order for each lane.
    std::function<void(uint32_t lane, uint64_t step)> stepDone;
    /// Other tasks apply pushes in this one's order: the lane is next.
    std::function<void(uint32_t lane)> turn;
    /// Called once, when nothing is under way any more: all steps are done, or
    /// the first error.
    std::function<void(Status)> ended;
  };

  /// `context` must outlive it; its `self` says which programs are executed.
  static Result<std::unique_ptr<Worker>> create(Plan::Ptr plan,
                                                const proto::Entry &entry,
                                                TaskContext &context,
                                                const Options &options);

  /// The lanes that `task` has a part in: with update sync there is one, 0;
  /// else they have the replicas' numbers.
  static std::vector<uint32_t>
  lanesOf(const Plan &plan, const proto::Entry &entry, const TaskId &task);

  /// Does the task have any part in the entry?
  bool hasWork() const;
  /// Bytes of all arenas of the task's activations.
  uint64_t arenaBytes() const;
  /// Executes steps [first, first + steps) of each lane, but begins none that
  /// is not below the lane's limit. Call once.
  void start(uint64_t first, uint64_t steps, Hooks hooks);
  /// Raises a lane's limit, or nothing if there is no such lane. Thread-safe.
  void setLimit(uint32_t lane, uint64_t step);
  /// The task whose order this one follows applies the lane's push next.
  void turn(uint32_t lane);
  /// Ends at once what waits for a limit or a turn (else the rendezvous' abort
  /// does).
  void abort(Status why);

private:
  Worker() = default;
  void makeQueue(const Plan &plan, const proto::Entry &entry,
                 const TaskId &self);
  void stepDone(uint32_t lane, uint64_t step);
  void isWhole(uint32_t lane);
  void loopEnded(Status status);

  Options options_;
  std::vector<std::unique_ptr<Executor>> executors_;
  std::vector<std::unique_ptr<StepLoop>> loops_; // by lane
  std::unique_ptr<ApplyQueue>
      applies_;           // update async, where pushes are applied
  bool isReplay_ = false; // of lanes here
  bool leads_ = false;    // others apply in this task's order
  Hooks hooks_;

  std::mutex mutex_; // guards all below
  size_t loopsRunning_ = 0;
  Status status_;
};

} // namespace dtc
