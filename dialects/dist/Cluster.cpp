#include "dialects/diagnostics/Coded.h"
#include "dialects/dist/Dist.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace mlir;

namespace dtc::dist {

LogicalResult
ClusterAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    ArrayRef<JobAttr> jobs) {
  if (jobs.empty())
    return dtc::coded(emitError(), dtc::Code::BadCluster)
           << "a cluster has at least one job";
  llvm::StringSet<> seen;
  for (JobAttr job : jobs) {
    if (job.getTasks() < 1)
      return dtc::coded(emitError(), dtc::Code::BadCluster)
             << "job '" << job.getName() << "' has " << job.getTasks()
             << " tasks; a job has at least 1";
    if (!seen.insert(job.getName()).second)
      return dtc::coded(emitError(), dtc::Code::BadCluster)
             << "job '" << job.getName() << "' is named twice in the cluster";
  }
  return success();
}

int64_t ClusterAttr::numTasks(StringRef name) const {
  for (JobAttr job : getJobs())
    if (job.getName() == name)
      return job.getTasks();
  return 0;
}

bool ClusterAttr::contains(DeviceAttr device) const {
  return hasJob(device.getJob()) && device.getType() == "cpu" &&
         device.getIndex() == 0 && device.getTask() < numTasks(device.getJob());
}

DeviceAttr ClusterAttr::cpu(StringRef job, int64_t task) const {
  return DeviceAttr::get(getContext(), job, task, "cpu", 0);
}

DeviceAttr ClusterAttr::chief() const {
  for (StringRef job : {"chief", "master", "worker", "local"})
    if (hasJob(job))
      return cpu(job, 0);
  return cpu(getJobs().front().getName(), 0);
}

StringRef ClusterAttr::replicaJob() const {
  return hasJob("worker") ? StringRef("worker") : chief().getJob();
}

bool ClusterAttr::runsReplicas(StringRef job) {
  return job == "worker" || job == "chief" || job == "master";
}

int64_t ClusterAttr::numReplicas() const {
  int64_t replicas = 0;
  for (JobAttr job : getJobs())
    if (runsReplicas(job.getName()))
      replicas += job.getTasks();
  return replicas;
}

std::string ShardAttr::describe() const {
  return ("part " + Twine(getIndex()) + " of " + Twine(getCount()) + " of '" +
          getWhole() + "'")
      .str();
}

std::string ClusterAttr::describeTasks() const {
  SmallVector<std::string> tasks;
  for (JobAttr job : getJobs())
    for (int64_t task = 0; task < job.getTasks(); ++task)
      tasks.push_back(job.getName().str() + ":" + std::to_string(task));
  // A list that nobody reads to its end does not help.
  constexpr size_t shown = 16;
  if (tasks.size() > shown) {
    std::string more = std::to_string(tasks.size() - shown) + " more";
    tasks.resize(shown);
    tasks.push_back(more);
  }
  return join(tasks, ", ");
}

} // namespace dtc::dist
