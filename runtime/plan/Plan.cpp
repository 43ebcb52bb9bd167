#include "runtime/plan/Plan.h"

#include <algorithm>

#include "runtime/plan/PlanCheck.h"

namespace dtc {
namespace {

std::vector<ActivationSite> sitesOf(const proto::Entry &entry) {
  std::vector<ActivationSite> sites;
  for (const proto::Program &program : entry.programs())
    for (const proto::Activation &activation : program.activations())
      sites.push_back(
          {&program, &activation,
           strCat("entry '", entry.name(), "', ", toTaskId(program.task()), " ",
                  kindName(activation.kind()))});
  return sites;
}

Status checkEntries(const Plan &plan) {
  const proto::Plan &proto = plan.proto();
  for (const proto::Entry &entry : proto.entries()) {
    std::vector<ActivationSite> sites = sitesOf(entry);
    for (const ActivationSite &site : sites) {
      DTC_RETURN_IF_ERROR(checkActivation(proto, entry, site));
      DTC_RETURN_IF_ERROR(checkOverlaps(*site.activation, site.where));
    }
    DTC_RETURN_IF_ERROR(checkEntry(plan, entry, sites));
    DTC_RETURN_IF_ERROR(checkDecisions(proto, entry));
  }
  return Status::ok();
}

} // namespace

Result<Plan::Ptr> Plan::load(const std::string &path) {
  DTC_ASSIGN_OR_RETURN(PlanContents contents, readPlanFile(path));
  return create(std::move(contents), path);
}

Result<Plan::Ptr> Plan::create(PlanContents contents, const std::string &name) {
  std::string prefix = name + ": ";
  DTC_RETURN_IF_ERROR(checkTables(contents).withPrefix(prefix));
  std::shared_ptr<Plan> plan(new Plan());
  plan->contents_ = std::move(contents);
  plan->path_ = name;
  for (const proto::Variable &variable : plan->proto().variables())
    plan->variableTypes_.push_back(TensorType::create(variable.type()).take());
  DTC_RETURN_IF_ERROR(checkEntries(*plan).withPrefix(prefix));
  return Ptr(std::move(plan));
}

const std::string *Plan::member(const std::string &name) const {
  auto found = contents_.members.find(name);
  return found == contents_.members.end() ? nullptr : &found->second;
}

std::vector<TaskId> Plan::tasks() const {
  std::vector<TaskId> tasks;
  for (const proto::Job &job : proto().jobs())
    for (uint32_t i = 0; i < job.tasks(); ++i)
      tasks.push_back({job.name(), static_cast<int>(i)});
  return tasks;
}

bool Plan::hasTask(const TaskId &task) const {
  for (const proto::Job &job : proto().jobs())
    if (job.name() == task.job)
      return task.index >= 0 && static_cast<uint32_t>(task.index) < job.tasks();
  return false;
}

TaskId Plan::chief() const {
  for (const char *job : {"chief", "master", "worker", "local"})
    if (hasTask({job, 0}))
      return {job, 0};
  return {proto().jobs(0).name(), 0};
}

Result<uint32_t> Plan::entryIndex(const std::string &name) const {
  std::string known;
  for (int i = 0; i < proto().entries_size(); ++i) {
    if (proto().entries(i).name() == name)
      return static_cast<uint32_t>(i);
    known += (i ? ", " : "") + proto().entries(i).name();
  }
  return Status::notFound(strCat(path_, ": there is no entry point '", name,
                                 "'\nhelp: the plan has ", known));
}

bool isReplicaJob(const std::string &job) {
  return job == "worker" || job == "chief" || job == "master" || job == "local";
}

bool Plan::isAsync(const proto::Entry &entry) const {
  return proto().update() == proto::ASYNC &&
         proto().mode() == proto::BETWEEN_GRAPH && entry.has_updates();
}

std::vector<TaskId> Plan::replicas(const proto::Entry &entry) const {
  std::vector<TaskId> tasks = {chief()};
  for (const proto::Job &job : proto().jobs())
    if (job.name() == "worker")
      for (uint32_t i = 0; i < job.tasks(); ++i)
        if (TaskId task{job.name(), static_cast<int>(i)}; task != tasks[0])
          tasks.push_back(task);
  if (tasks.size() > entry.replicas())
    tasks.resize(entry.replicas());
  return tasks;
}

bool Plan::executes(const TaskId &task, const proto::Entry &entry,
                    const proto::Program &program) const {
  TaskId named = toTaskId(program.task());
  if (named.index >= 0)
    return named == task;
  if (!isReplicaJob(named.job))
    return named.job == task.job;
  std::vector<TaskId> all = replicas(entry);
  return std::find(all.begin(), all.end(), task) != all.end();
}

std::vector<std::pair<TaskId, TaskId>>
edgeEnds(const Plan &plan, const proto::Entry &entry, const proto::Edge &edge) {
  TaskId source = toTaskId(edge.source());
  TaskId target = toTaskId(edge.target());
  std::vector<TaskId> replicas = plan.replicas(entry);
  std::vector<std::pair<TaskId, TaskId>> ends;
  if (source.index >= 0 && target.index >= 0)
    return {plan.isAsync(entry) ? replicas.size() : 1, {source, target}};
  for (const TaskId &replica : replicas)
    ends.push_back({source.index < 0 ? replica : source,
                    target.index < 0 ? replica : target});
  return ends;
}

uint64_t Plan::bytesPerStep(const proto::Entry &entry) const {
  uint64_t bytes = 0;
  for (const proto::Edge &edge : entry.edges())
    for (const auto &[source, target] : edgeEnds(*this, entry, edge))
      bytes += source == target ? 0 : edge.bytes();
  return bytes;
}

} // namespace dtc
