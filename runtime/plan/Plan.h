// Plan: a plan that was loaded and found whole. Immutable; shared between
// threads. Every index in it is in range, every size is consistent, every
// buffer is defined before its use, and overlapping buffers are ordered, so
// the rest of the runtime may follow it without checking again.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"
#include "runtime/plan/Instructions.h"
#include "runtime/plan/PlanFile.h"
#include "runtime/plan/TensorType.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

class Plan {
public:
  using Ptr = std::shared_ptr<const Plan>;

  /// Reads, checks and indexes a plan file. Errors: those of readPlanFile, and
  /// DATA_LOSS naming the entry, edge or instruction that is wrong.
  static Result<Ptr> load(const std::string &path);
  /// The same for contents that are in memory; `name` is what messages say.
  static Result<Ptr> create(PlanContents contents, const std::string &name);

  const proto::Plan &proto() const { return contents_.plan; }
  const PlanContents &contents() const { return contents_; }
  /// SHA-256 of the plan file's bytes: what tasks compare before they run.
  const std::string &sha256() const { return contents_.sha256; }
  /// The path it was loaded from.
  const std::string &path() const { return path_; }
  /// A member's bytes, or nullptr.
  const std::string *member(const std::string &name) const;

  /// Types by the proto's index.
  const TensorType &variableType(uint32_t variable) const {
    return variableTypes_[variable];
  }

  /// Every task of the cluster's shape, in the order of the jobs.
  std::vector<TaskId> tasks() const;
  bool hasTask(const TaskId &task) const;
  /// chief:0, else master:0, else worker:0, else local:0, else the first.
  TaskId chief() const;

  /// The entry called `name`. NOT_FOUND lists those that exist.
  Result<uint32_t> entryIndex(const std::string &name) const;
  const proto::Entry &entry(uint32_t index) const {
    return contents_.plan.entries(index);
  }
  /// Does each replica's push take effect when it comes, by itself? (update
  /// async of a between-graph plan; entries that update nothing are as ever)
  bool isAsync(const proto::Entry &entry) const;
  /// The tasks that are the entry's replicas, by replica number: the chief (or
  /// master), then the workers, as many as the entry has.
  std::vector<TaskId> replicas(const proto::Entry &entry) const;
  /// Does `task` execute `program`? A template of the replicas' job is executed
  /// by the replicas (so also by a chief), any other by each task of its job.
  bool executes(const TaskId &task, const proto::Entry &entry,
                const proto::Program &program) const;
  /// Payload bytes that cross tasks in one step of the entry (local
  /// hand-overs are not counted).
  uint64_t bytesPerStep(const proto::Entry &entry) const;

private:
  Plan() = default;
  PlanContents contents_;
  std::string path_;
  std::vector<TensorType> variableTypes_;
};

/// How often an edge's two ends are executed, by the tasks that do it: the
/// concrete (source, target) pairs of one step. An edge from a template to
/// itself stays on each task.
std::vector<std::pair<TaskId, TaskId>>
edgeEnds(const Plan &plan, const proto::Entry &entry, const proto::Edge &edge);

/// Is a program template of this job one of the replicas (see executes)?
bool isReplicaJob(const std::string &job);

} // namespace dtc
