// dist-assign-jobs: the job of every variable and op, and the module's header.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/ClusterText.h"
#include "passes/dist/ColocationNames.h"
#include "passes/dist/Passes.h"
#include "passes/dist/SettleWishes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_ASSIGNJOBSPASS
#include "passes/dist/Passes.h.inc"

namespace {

class JobAssigner {
public:
  JobAssigner(ModuleOp module, const Variables &variables)
      : cluster_(clusterOf(module)), mode_(modeOf(module)),
        variables_(variables), groups_(variables) {}

  /// Everything in `module`. With `soft`, a device need not have the type and
  /// number that was asked for.
  LogicalResult assign(ModuleOp module, bool soft);

private:
  LogicalResult gather(ModuleOp module);
  LogicalResult settle(bool soft);
  void colocateUpdates(graph::FuncOp func, const UpdateRegion &region);
  void keepWithVariables();
  void assign(graph::VariableOp variable);
  LogicalResult assign(graph::FuncOp func);
  LogicalResult assign(Operation *op, const UpdateRegion &region,
                       bool isReplicated);
  void assignByDefault(Operation *op, const UpdateRegion &region,
                       bool isReplicated);
  LogicalResult checkInput(Operation *op);
  /// Why an op is where its group is; "" where its own kind says more.
  std::string whyWithGroup(Operation *op);
  /// Job of the wish, or `otherwise`.
  StringRef wishedJob(Operation *op, StringRef otherwise);
  void decide(Operation *op, StringRef job, const Twine &reason);
  StringRef variableJob() const {
    return cluster_.hasJob("ps") ? StringRef("ps") : cluster_.chief().getJob();
  }

  ClusterAttr cluster_;
  Mode mode_;
  const Variables &variables_;
  ColocationGroups groups_;
  SettledWishes wishes_;
  llvm::MapVector<graph::FuncOp, UpdateRegion> regions_;
};

LogicalResult JobAssigner::assign(ModuleOp module, bool soft) {
  if (failed(gather(module)) || failed(settle(soft)))
    return failure();
  // Owners before their slots, variables before what reads them.
  for (auto variable : module.getOps<graph::VariableOp>())
    assign(variable);
  for (auto func : module.getOps<graph::FuncOp>())
    if (failed(assign(func)))
      return failure();
  wishes_.write(groups_);
  keepWithVariables();
  return success();
}

/// What is with a variable only by way of another op stays with it when the two
/// ops part: a step's updates run apart from what replicas do.
void JobAssigner::keepWithVariables() {
  for (Operation *op : groups_.members())
    if (graph::VariableOp variable = groups_.variableOf(op))
      if (op->hasAttr(graph::colocateWishName) && op != variable)
        colocate(op, variable);
}

/// What an update consists of goes with its variable unless it has a device of
/// its own; so do those that want to be with it.
void JobAssigner::colocateUpdates(graph::FuncOp func,
                                  const UpdateRegion &region) {
  for (Operation &op : func.getBody().front())
    if (graph::VariableOp variable = region.variableOf(&op))
      if (op.hasAttr(graph::colocateWishName) && wishTextOf(&op).empty())
        colocate(&op, variable);
}

LogicalResult JobAssigner::gather(ModuleOp module) {
  resolveColocations(module, variables_);
  if (failed(groups_.addVariables(module)))
    return failure();
  for (auto func : module.getOps<graph::FuncOp>()) {
    UpdateRegion region(func, variables_);
    colocateUpdates(func, region);
    if (failed(groups_.add(func, region)))
      return failure();
    regions_.insert({func, std::move(region)});
  }
  return success();
}

/// In one task all are together, and everything is where it can be.
LogicalResult JobAssigner::settle(bool soft) {
  if (mode_ == Mode::Local)
    return success();
  if (failed(groups_.merge(soft)))
    return failure();
  FailureOr<SettledWishes> wishes = SettledWishes::settle(
      groups_, cluster_, soft, variableJob(), cluster_.replicaJob());
  if (failed(wishes))
    return failure();
  wishes_ = std::move(*wishes);
  return success();
}

void JobAssigner::decide(Operation *op, StringRef job, const Twine &reason) {
  auto part = op->getAttrOfType<ShardAttr>(shardAttrName);
  std::string text = (part ? part.describe() + "; " + reason : reason).str();
  MLIRContext *context = op->getContext();
  write(op, {{jobAttrName, StringAttr::get(context, job)},
             {reasonAttrName, ReasonAttr::get(context, text)}});
}

StringRef JobAssigner::wishedJob(Operation *op, StringRef otherwise) {
  DeviceSpec wish = wishes_.wishOf(groups_, op);
  return wish.job ? StringAttr::get(op->getContext(), *wish.job).getValue()
                  : otherwise;
}

void JobAssigner::assign(graph::VariableOp variable) {
  StringRef job = wishedJob(variable, variableJob());
  graph::VariableOp owner = variables_.ownerOf(variable);
  std::string why = whyWithGroup(variable);
  if (owner != variable)
    decide(variable, job,
           "slot of '" + owner.getSymName() + "': with its variable");
  else if (mode_ == Mode::Local)
    decide(variable, job, "mode local: everything is in one task");
  else if (!why.empty())
    decide(variable, job, why);
  else if (job == "ps")
    decide(variable, job, "variables live on job ps");
  else
    decide(variable, job, "no job ps: the chief keeps the variables");
}

LogicalResult JobAssigner::assign(graph::FuncOp func) {
  bool replicated = mode_ == Mode::BetweenGraph && hasUpdates(func);
  const UpdateRegion &region = regions_.find(func)->second;
  for (Operation &op : func.getBody().front())
    if (failed(assign(&op, region, replicated)))
      return failure();
  return success();
}

/// Between-graph each worker reads its own rows.
LogicalResult JobAssigner::checkInput(Operation *op) {
  bool isKept = groups_.variableOf(op) ||
                !ClusterAttr::runsReplicas(wishedJob(op, "worker"));
  if (!isa<graph::InputOp>(op) || !isKept)
    return success();
  StringRef wish = wishTextOf(op);
  InFlightDiagnostic error =
      coded(op->emitError(describe(op)), Code::BadDevice);
  if (wish.empty())
    return error << " is with '" << firstPartner(op)
                 << "', but between-graph each worker reads its own rows; "
                    "leave its colocation out";
  return error << " asked for '" << wish
               << "', but between-graph each worker reads its own rows; leave "
                  "its device out, or name job worker";
}

std::string JobAssigner::whyWithGroup(Operation *op) {
  if (mode_ == Mode::Local || !groups_.contains(op))
    return "";
  graph::VariableOp variable = groups_.variableOf(op);
  Operation *wisher = groups_.wisherOf(op);
  bool isLed = variable && variable != op;
  if (isLed && wishTextOf(op).empty())
    return firstPartner(op).empty() ? ""
                                    : "colocated with " + describe(variable);
  std::string why;
  if (!wishTextOf(op).empty())
    why = "asked for '" + wishTextOf(op).str() + "'";
  else if (wisher)
    why = "with " + describe(wisher) + ", which asked for '" +
          wishTextOf(wisher).str() + "'";
  if (!why.empty() && wishes_.isSoftened(groups_, op))
    why += "; there is none, and soft placement drops type and number";
  return why;
}

LogicalResult JobAssigner::assign(Operation *op, const UpdateRegion &region,
                                  bool isReplicated) {
  if (isReplicated && failed(checkInput(op)))
    return failure();
  std::string why = whyWithGroup(op);
  if (why.empty() || isa<graph::ReadOp, graph::AssignOp, graph::OutputOp>(op)) {
    assignByDefault(op, region, isReplicated);
    return success();
  }
  if (graph::VariableOp variable = groups_.variableOf(op)) {
    decide(op, jobOf(variable), why);
    return success();
  }
  StringRef job = wishedJob(op, cluster_.replicaJob());
  if (mode_ != Mode::BetweenGraph || !ClusterAttr::runsReplicas(job))
    decide(op, job, why);
  else
    decide(op, cluster_.replicaJob(),
           why + ", which between-graph is " +
               (isReplicated ? "each worker's own task" : "the chief"));
  return success();
}

void JobAssigner::assignByDefault(Operation *op, const UpdateRegion &region,
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
}

struct AssignJobs : impl::AssignJobsPassBase<AssignJobs> {
  using AssignJobsPassBase::AssignJobsPassBase;

  void runOnOperation() override {
    if (failed(writeHeader()) || failed(requireHeader(getOperation())) ||
        failed(checkHeader()))
      return signalPassFailure();
    Variables variables(getOperation());
    if (failed(JobAssigner(getOperation(), variables)
                   .assign(getOperation(), softPlacement)))
      signalPassFailure();
  }

private:
  LogicalResult writeHeader();
  LogicalResult writeWireType();
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
  return writeWireType();
}

/// Nothing is rounded unless somebody asked for it (G7).
LogicalResult AssignJobs::writeWireType() {
  ModuleOp module = getOperation();
  if (wireType.empty())
    return success();
  if (wireType != "bf16" && wireType != "f32")
    return coded(module.emitError("there is no wire type '"), Code::BadMode)
           << wireType << "'; f32 crosses as bf16 or as f32";
  module->removeAttr(wireTypeAttrName);
  if (wireType == "bf16")
    module->setAttr(wireTypeAttrName,
                    TypeAttr::get(BFloat16Type::get(&getContext())));
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
