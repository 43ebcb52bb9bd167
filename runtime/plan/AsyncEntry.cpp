#include "runtime/plan/AsyncEntry.h"

#include <algorithm>

namespace dtc {
namespace {

/// A definite task, or with one replica the one that a template stands for.
TaskId taskOf(const Plan &plan, const proto::Program &program) {
  TaskId task = toTaskId(program.task());
  if (task.index >= 0)
    return task;
  return isReplicaJob(task.job) ? plan.chief() : TaskId{task.job, 0};
}

template <typename Visit>
void visitApplies(const proto::Entry &entry, Visit visit) {
  for (const proto::Program &program : entry.programs())
    for (const proto::Activation &activation : program.activations())
      if (activation.kind() == proto::Activation::APPLY)
        visit(program, activation);
}

} // namespace

std::vector<TaskId> applyTasks(const Plan &plan, const proto::Entry &entry) {
  std::vector<TaskId> applying, tasks;
  visitApplies(entry, [&](const proto::Program &program, auto &) {
    applying.push_back(taskOf(plan, program));
  });
  for (const TaskId &task : plan.tasks())
    if (std::find(applying.begin(), applying.end(), task) != applying.end())
      tasks.push_back(task);
  return tasks;
}

std::optional<TaskId> applyLeader(const Plan &plan, const proto::Entry &entry) {
  if (!plan.isAsync(entry))
    return std::nullopt;
  bool anyWaits = false;
  visitApplies(entry, [&](const proto::Program &program, auto &activation) {
    TaskId self = taskOf(plan, program);
    for (const proto::Instruction &it : activation.instructions())
      anyWaits |= it.has_recv() &&
                  toTaskId(entry.edges(it.recv().edge()).source()) != self;
  });
  std::vector<TaskId> tasks = applyTasks(plan, entry);
  return anyWaits ? std::optional(tasks.front()) : std::nullopt;
}

} // namespace dtc
