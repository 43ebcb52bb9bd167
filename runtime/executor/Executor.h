// Executor: one activation of a plan as dataflow. An instruction runs when
// what it waits for is done; receives are posted as soon as they may be and
// hold no thread while they wait.
//
// With update async (TaskContext::gate) an apply activation runs while nobody
// reads the task's variables. A serve activation reads them at its start, all
// of one version; what it reads for a value that it has to wait for (rows, by
// indices that come) is read when that is there.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/base/Deadline.h"
#include "runtime/base/TaskId.h"
#include "runtime/executor/TaskContext.h"
#include "runtime/plan/Plan.h"

namespace dtc {

class Executor {
public:
  /// One execution of the activation.
  struct Run {
    uint64_t step = 0;
    uint32_t replica = 0; // that it serves, or is
    TaskId peer;          // what a peer of index -1 means
    Deadline recvDeadline = Deadline::infinite();
  };

  /// `activation` belongs to `entry` of `plan`. `context` gets the accumulators
  /// that the activation names. RESOURCE_EXHAUSTED when there is no memory.
  static Result<std::unique_ptr<Executor>>
  create(Plan::Ptr plan, const proto::Entry &entry,
         const proto::Activation &activation, TaskContext &context);
  /// No run may be under way.
  ~Executor();

  /// Executes the activation once; runs may overlap, each in an arena of its
  /// own. Calls `done` once, when nothing of the run is under way any more,
  /// with OK or the first error; from any thread, so it must not block. The
  /// first error also aborts the task's Rendezvous: what waits there ends, and
  /// the task is to end too.
  void start(const Run &run, Completion done);

  /// Makes room for so many runs at once, so that none allocates later.
  /// RESOURCE_EXHAUSTED as above.
  Status reserve(size_t runs);
  /// Bytes of the arenas of all runs that it has room for. Thread-safe.
  uint64_t arenaBytes() const;

  struct Impl; // known to Executor.cpp alone

private:
  Executor();
  std::unique_ptr<Impl> impl_;
};

} // namespace dtc
