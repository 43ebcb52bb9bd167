// dist-assign-jobs: the job of every variable and op, and the module's header.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/ClusterText.h"
#include "passes/dist/Passes.h"
#include "passes/dist/UpdateRegion.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_ASSIGNJOBSPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Says which tasks or devices the user could have meant.
void attachHelp(InFlightDiagnostic &error, ClusterAttr cluster,
                const DeviceSpec &wish, StringRef job) {
  error.attachNote() << "the cluster has " << cluster.describeTasks();
  if (!cluster.hasJob(job))
    return;
  if (wish.replica.value_or(0) != 0)
    error.attachNote() << "help: every task is replica 0";
  else if (wish.type.value_or("CPU") != "CPU" || wish.index.value_or(0) != 0)
    error.attachNote() << "help: a task has one device, /device:CPU:0";
  else if (int64_t last = cluster.numTasks(job) - 1)
    error.attachNote() << "help: job " << job << " has tasks 0 to " << last;
  else
    error.attachNote() << "help: job " << job << " has one task, /job:" << job
                       << "/task:0";
}

class JobAssigner {
public:
  JobAssigner(ClusterAttr cluster, Mode mode, const Variables &variables)
      : cluster_(cluster), mode_(mode), variables_(variables) {}

  LogicalResult assign(graph::VariableOp variable);
  LogicalResult assign(graph::FuncOp func);

private:
  LogicalResult assign(Operation *op, const UpdateRegion &region,
                       bool isReplicated);
  LogicalResult assignByDefault(Operation *op, const UpdateRegion &region,
                                bool isReplicated);
  /// Job of the wish, or `otherwise`; fails if the cluster has no such device.
  FailureOr<StringRef> wishedJob(Operation *op, StringRef otherwise);
  void decide(Operation *op, StringRef job, const Twine &reason);
  StringRef variableJob() const {
    return cluster_.hasJob("ps") ? StringRef("ps") : cluster_.chief().getJob();
  }

  ClusterAttr cluster_;
  Mode mode_;
  const Variables &variables_;
};

void JobAssigner::decide(Operation *op, StringRef job, const Twine &reason) {
  op->setAttr(jobAttrName, StringAttr::get(op->getContext(), job));
  setReason(op, reason);
}

FailureOr<StringRef> JobAssigner::wishedJob(Operation *op,
                                            StringRef otherwise) {
  FailureOr<DeviceSpec> wish = wishOf(op);
  if (failed(wish))
    return failure();
  if (mode_ == Mode::Local)
    return otherwise;
  StringRef job = wish->job
                      ? StringAttr::get(op->getContext(), *wish->job).getValue()
                      : otherwise;
  int64_t task = wish->task.value_or(0);
  DeviceSpec first{job.str(), 0, task, "CPU", 0};
  if (task < cluster_.numTasks(job) && isSpecification(*wish, first))
    return job;
  InFlightDiagnostic error = coded(op->emitError("'"), Code::DeviceNotInCluster)
                             << wishTextOf(op) << "' is not in the cluster";
  attachHelp(error, cluster_, *wish, job);
  return error;
}

LogicalResult JobAssigner::assign(graph::VariableOp variable) {
  FailureOr<StringRef> job = wishedJob(variable, variableJob());
  if (failed(job))
    return failure();
  if (graph::VariableOp owner = variables_.ownerOf(variable); owner != variable)
    decide(variable, variableJob(),
           "slot of '" + owner.getSymName() + "': with its variable");
  else if (mode_ == Mode::Local)
    decide(variable, *job, "mode local: everything is in one task");
  else if (!wishTextOf(variable).empty())
    decide(variable, *job, "asked for '" + wishTextOf(variable) + "'");
  else if (*job == "ps")
    decide(variable, *job, "variables live on job ps");
  else
    decide(variable, *job, "no job ps: the chief keeps the variables");
  return success();
}

LogicalResult JobAssigner::assign(graph::FuncOp func) {
  UpdateRegion region(func, variables_);
  bool replicated = mode_ == Mode::BetweenGraph && hasUpdates(func);
  for (Operation &op : func.getBody().front())
    if (failed(assign(&op, region, replicated)))
      return failure();
  return success();
}

LogicalResult JobAssigner::assign(Operation *op, const UpdateRegion &region,
                                  bool isReplicated) {
  FailureOr<StringRef> job = wishedJob(op, cluster_.replicaJob());
  if (failed(job))
    return failure();
  StringRef wish = wishTextOf(op);
  if (isReplicated && isa<graph::InputOp>(op) &&
      !ClusterAttr::runsReplicas(*job))
    return coded(op->emitError(describe(op)), Code::BadDevice)
           << " asked for '" << wish
           << "', but between-graph each worker reads its own rows; leave its "
              "device out, or name job worker";
  if (wish.empty() || mode_ == Mode::Local ||
      isa<graph::ReadOp, graph::AssignOp, graph::OutputOp>(op))
    return assignByDefault(op, region, isReplicated);
  if (mode_ != Mode::BetweenGraph || !ClusterAttr::runsReplicas(*job))
    decide(op, *job, "asked for '" + wish + "'");
  else
    decide(op, cluster_.replicaJob(),
           "asked for '" + wish + "', which between-graph is " +
               (isReplicated ? "each worker's own task" : "the chief"));
  return success();
}

LogicalResult JobAssigner::assignByDefault(Operation *op,
                                           const UpdateRegion &region,
                                           bool isReplicated) {
  StringRef replicaJob = cluster_.replicaJob();
  if (mode_ == Mode::Local) {
    decide(op, replicaJob, "mode local: everything is in one task");
  } else if (auto read = dyn_cast<graph::ReadOp>(op)) {
    graph::VariableOp variable = variables_[read.getVariable()];
    decide(op, jobOf(variables_.ownerOf(variable)),
           "reads '" + read.getVariable() + "' where it lives");
  } else if (graph::VariableOp variable = region.variableOf(op)) {
    decide(op, jobOf(variable),
           "update of '" + variable.getSymName() + "': with its variable");
  } else if (isa<graph::OutputOp>(op)) {
    decide(op, cluster_.chief().getJob(), "outputs end on the chief");
  } else if (isReplicated) {
    decide(op, replicaJob, "each worker computes it");
  } else if (mode_ == Mode::BetweenGraph) {
    decide(op, cluster_.chief().getJob(),
           "the entry updates nothing: the chief computes it");
  } else {
    decide(op, replicaJob,
           "no device asked for: the first task of job " + replicaJob +
               " computes it");
  }
  return success();
}

struct AssignJobs : impl::AssignJobsPassBase<AssignJobs> {
  using AssignJobsPassBase::AssignJobsPassBase;

  void runOnOperation() override {
    if (failed(writeHeader()) || failed(requireHeader(getOperation())) ||
        failed(checkHeader()))
      return signalPassFailure();
    ModuleOp module = getOperation();
    Variables variables(module);
    JobAssigner assigner(clusterOf(module), modeOf(module), variables);
    // Owners before their slots, variables before what reads them.
    for (auto variable : module.getOps<graph::VariableOp>())
      if (failed(assigner.assign(variable)))
        return signalPassFailure();
    for (auto func : module.getOps<graph::FuncOp>())
      if (failed(assigner.assign(func)))
        return signalPassFailure();
  }

private:
  LogicalResult writeHeader();
  LogicalResult checkHeader();
};

LogicalResult AssignJobs::writeHeader() {
  ModuleOp module = getOperation();
  Location loc = module.getLoc();
  if (!mode.empty()) {
    FailureOr<Mode> value = parseModeText(mode, loc);
    if (failed(value))
      return failure();
    module->setAttr(modeAttrName, ModeAttr::get(&getContext(), *value));
    if (*value == Mode::Local)
      cluster = "local=1";
  }
  if (!cluster.empty()) {
    FailureOr<ClusterAttr> value = parseClusterText(cluster, loc);
    if (failed(value))
      return failure();
    module->setAttr(clusterAttrName, *value);
  }
  FailureOr<Update> value = parseUpdateText(
      update.empty() ? StringRef("sync") : StringRef(update), loc);
  if (failed(value))
    return failure();
  if (!update.empty() || !module->hasAttr(updateAttrName))
    module->setAttr(updateAttrName, UpdateAttr::get(&getContext(), *value));
  return success();
}

LogicalResult AssignJobs::checkHeader() {
  ModuleOp module = getOperation();
  bool isBetween = modeOf(module) == Mode::BetweenGraph;
  if (isAsync(module) && !isBetween)
    return coded(module.emitError("update async needs mode between-graph; "),
                 Code::BadMode)
           << "elsewhere no worker has a pace of its own";
  if (!isBetween)
    return success();
  ClusterAttr cluster = clusterOf(module);
  if (cluster.numReplicas() == 0) {
    InFlightDiagnostic error = coded(
        module.emitError("mode between-graph needs a job that runs replicas: "
                         "worker, chief or master"),
        Code::BadMode);
    error.attachNote() << "the cluster has " << cluster.describeTasks();
    return error;
  }
  return success();
}

} // namespace
} // namespace dtc::dist
