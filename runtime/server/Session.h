// Session: one run of a plan, from forming the cluster to the summary. What the
// command line calls; everything else of this room is behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/Deadline.h"
#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"
#include "runtime/base/Tensor.h"
#include "runtime/executor/TaskContext.h"
#include "runtime/plan/ClusterSpec.h"
#include "runtime/plan/Plan.h"

namespace dtc {

/// Where a run stands; the chief is told after each step.
struct Progress {
  int64_t step = 0;          // steps done
  int64_t steps = 0;         // of this run
  int64_t epoch = 0;         // that the step belonged to, from 0
  int64_t stepsPerEpoch = 0; // 0: the entry reads no data set
  bool isEndOfEpoch = false;
  std::map<std::string, double> metrics; // scalar fetches of this step
};

/// Ends a run from outside (a signal). Thread-safe.
class Interrupt {
public:
  /// The run's tasks of this process end with `why`, and tell the others.
  void raise(Status why);

private:
  friend class Member;
  void listen(void *listener, std::function<void(Status)> function);
  void forget(void *listener);
  std::mutex mutex_; // guards all below
  std::map<void *, std::function<void(Status)>> listeners_;
  Status raised_;
};

struct RunOptions {
  std::string entry = "train";
  uint64_t seed = 0;
  /// Give one of the two. Neither: the epochs that the graph says (or one), or
  /// one step for an entry that reads no data set.
  std::optional<int64_t> steps;
  std::optional<int64_t> epochs;
  std::map<std::string, std::string> data; // data set → path
  std::map<std::string, Tensor> feeds;     // by name; the chief's count
  std::string loadDirectory; // the chief's counts; empty: initialise
  std::string saveDirectory; // the chief's counts; empty: keep nothing
  std::string target;        // of the kernels; empty: the first that fits
  unsigned threads = 0;      // of this process; 0: one a core
  Duration timeout = std::chrono::seconds(60);      // to form and prepare
  Duration stepTimeout = std::chrono::seconds(120); // for one receive
  /// Keep all variables' values in the summary.
  bool keepVariables = false;

  /// Chief only; called after each step, from one thread at a time.
  std::function<void(const Progress &)> progress;
  /// What is waited for, in a sentence for a person; from any thread.
  std::function<void(const std::string &)> log;
  /// Called for every send of a task in this process; see TaskContext.
  std::function<void(const SentTensor &)> tap;
  /// Called after every kernel of a task in this process; see TaskContext.
  std::function<void(const KernelRun &)> ranKernel;
  /// Replaces data sets: fills `columns` of `input` for `replica`. `steps` must
  /// then be given. Any thread, several at once.
  std::function<Status(const proto::Input &input, uint64_t step,
                       uint32_t replica,
                       std::span<const std::span<std::byte>> columns)>
      rows;
  /// Called for every fetch that the chief writes, in the chief's process:
  /// with update async of each replica, by its number. `bytes` are valid during
  /// the call. Any thread, several at once.
  std::function<void(uint32_t fetch, uint64_t step, uint32_t replica,
                     std::span<const std::byte> bytes)>
      fetched;
  /// Adds a random number from 0 to this to each float of a first value, so
  /// that no two are alike: not all biases are 0. All tasks must agree.
  double spread = 0;
  /// Update async: apply pushes in replica order, each computed from what was
  /// there when the one before had been applied. One of the orders that can
  /// happen, and always the same. All tasks must agree.
  bool replay = false;
  /// Of an entry with one replica: the number that it has in a step, instead of
  /// 0 (it computes then what that replica of a cluster would).
  std::function<uint32_t(uint64_t step)> replicaAt;
  /// Nothing is rounded where it crosses between tasks, whatever the plan says;
  /// runInProcess only.
  bool isWireExact = false;
  std::shared_ptr<Interrupt> interrupt;
};

/// What a task used.
struct TaskUse {
  uint64_t tensorBytes = 0; // payload handed to the transport, in all steps
  uint64_t arenaBytes = 0;  // that its executors allocated
};

struct RunSummary {
  int64_t steps = 0; // of each replica
  /// Scalar fetches: the last step's value; for an entry that updates nothing
  /// and reads a data set, the mean over the steps.
  std::map<std::string, double> metrics;
  std::map<std::string, Tensor> fetches; // the last step's
  /// Update async: over all parameter servers. Metrics and fetches are then the
  /// chief's own.
  std::optional<Staleness> staleness;
  double stepMsP50 = 0, stepMsP90 = 0;
  double examplesPerSecond = 0;
  /// Tensor payload handed to the transport by all tasks.
  uint64_t bytesTotal = 0;
  double bytesPerStep = 0;
  std::map<TaskId, TaskUse> tasks;
  /// Over all variables' raw bytes in name order.
  std::string variablesSha256;
  /// Examples at the ends of epochs that did not fill a step.
  int64_t droppedExamples = 0;
  std::string target;                      // of the chief's kernels
  std::map<std::string, Tensor> variables; // with keepVariables
};

/// Runs all tasks of the plan in this process. Blocks until all have ended.
/// Errors: FAILED_PRECONDITION for a plan that could hang; INVALID_ARGUMENT and
/// NOT_FOUND for options that do not fit the plan (they say what would); those
/// of data files and checkpoints; and the run's.
Result<RunSummary> runInProcess(Plan::Ptr plan, RunOptions options);

/// This process is the task `self` of the cluster; the others are reached by
/// gRPC. Blocks until the chief has ended the run. On the chief the summary is
/// full, elsewhere empty. Errors also: UNAVAILABLE for a cluster that does not
/// form and for a lost peer, with the same first line on every task.
Result<RunSummary> runTask(Plan::Ptr plan, const ClusterSpec &cluster,
                           const TaskId &self, RunOptions options);

/// Does the cluster have the shape that the plan was compiled for, and `self`?
Status checkCluster(const Plan &plan, const ClusterSpec &cluster,
                    const TaskId &self);

} // namespace dtc
