// dist-place: a full device, an activation and a reason for everything.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/Passes.h"
#include "passes/dist/PlaceByCost.h"
#include "passes/dist/PlacementProblem.h"
#include "passes/dist/UpdateRegion.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_PLACEPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Bytes in memory: a boolean takes a whole one.
int64_t sizeBytes(graph::VariableOp variable) {
  auto type = cast<RankedTensorType>(variable.getType());
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

void writeDevice(Operation *op, DeviceAttr device) {
  op->setAttr(deviceAttrName, device);
  op->removeAttr(wishAttrName);
  op->removeAttr(jobAttrName);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// The variables of one job, spread over its tasks.
class VariablePlacer {
public:
  VariablePlacer(ModuleOp module, StringRef job, const Variables &variables)
      : module_(module), cluster_(clusterOf(module)), job_(job),
        variables_(variables) {
    problem_.tasks = cluster_.numTasks(job);
  }

  void place() {
    for (auto variable : module_.getOps<graph::VariableOp>())
      if (jobOf(variables_.ownerOf(variable)) == job_)
        addToProblem(variable);
    PlacementSolution solution = solvePlacement(problem_);
    assert(checkPlacement(problem_, solution).empty());
    for (auto [index, variables] : llvm::enumerate(members_))
      apply(solution, index, variables);
  }

private:
  void addToProblem(graph::VariableOp variable) {
    graph::VariableOp owner = variables_.ownerOf(variable);
    auto [place, isNew] = index_.try_emplace(owner, problem_.items.size());
    if (isNew) {
      problem_.items.push_back(
          {owner.getSymName().str(), 0, wishedTask(owner)});
      members_.emplace_back();
    }
    problem_.items[place->second].bytes += sizeBytes(variable);
    members_[place->second].push_back(variable);
  }

  std::optional<int64_t> wishedTask(graph::VariableOp owner) {
    FailureOr<DeviceSpec> wish = wishOf(owner);
    assert(succeeded(wish) && "dist-assign-jobs checked it");
    if (wish->task && modeOf(module_) != Mode::Local)
      return wish->task;
    // Without a job for variables they all stay with the chief.
    if (job_ != "ps" && job_ == cluster_.chief().getJob())
      return cluster_.chief().getTask();
    return std::nullopt;
  }

  void apply(const PlacementSolution &solution, size_t index,
             ArrayRef<graph::VariableOp> variables) {
    DeviceAttr device = cluster_.cpu(job_, solution.task[index]);
    for (graph::VariableOp variable : variables) {
      writeDevice(variable, device);
      if (!problem_.items[index].fixedTask && problem_.tasks > 1 &&
          variables_.ownerOf(variable) == variable)
        setReason(variable, reasonOf(variable) + "; " + device.taskString() +
                                " held the fewest bytes, " +
                                Twine(solution.before[index]));
    }
  }

  ModuleOp module_;
  ClusterAttr cluster_;
  StringRef job_;
  const Variables &variables_;
  PlacementProblem problem_;
  DenseMap<Operation *, size_t> index_;
  std::vector<SmallVector<graph::VariableOp>> members_;
};

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Places an entry's ops last to first, so that an op may follow its users.
class OpPlacer {
public:
  OpPlacer(graph::FuncOp func, const Variables &variables)
      : func_(func), cluster_(clusterOf(func)), mode_(modeOf(func)),
        isReplicated_(isReplicated(func)), variables_(variables),
        region_(func, variables) {}

  void place() {
    for (Operation &op : llvm::reverse(func_.getBody().front())) {
      DeviceAttr device = deviceFor(&op);
      if (isa<TakeOp>(op))
        accumulators_[cast<TakeOp>(op).getAccumulator()] = device;
      setActivation(&op, activationFor(&op, device));
      writeDevice(&op, device);
    }
  }

private:
  DeviceAttr deviceFor(Operation *op);
  DeviceAttr wishedDevice(Operation *op);
  DeviceAttr generatorDevice(Operation *op);
  DeviceAttr defaultDevice(Operation *op);
  Operation *firstUser(Operation *op);

  bool isApply(Operation *op) { return activationOf(op) == Activation::Apply; }
  Activation activationFor(Operation *op, DeviceAttr device) {
    if (std::optional<Activation> decided = activationOf(op))
      return *decided;
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      if (Operation *user = firstUser(op))
        return *activationOf(user);
    return isReplicated_ && !device.isTemplate() ? Activation::Serve
                                                 : Activation::Step;
  }
  DeviceAttr deviceOfVariable(StringRef name) {
    return deviceOf(variables_[name]);
  }

  graph::FuncOp func_;
  ClusterAttr cluster_;
  Mode mode_;
  bool isReplicated_;
  const Variables &variables_;
  UpdateRegion region_;
  llvm::StringMap<DeviceAttr> accumulators_;
};

Operation *OpPlacer::firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (!first || user->isBeforeInBlock(first))
      first = user;
  return first;
}

DeviceAttr OpPlacer::deviceFor(Operation *op) {
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return deviceOfVariable(read.getVariable());
  if (auto assign = dyn_cast<graph::AssignOp>(op))
    return deviceOfVariable(assign.getVariable());
  if (isa<graph::OutputOp>(op))
    return cluster_.chief();
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return accumulators_.lookup(accumulate.getAccumulator());
  if (!wishTextOf(op).empty() && mode_ != Mode::Local)
    return wishedDevice(op);
  if (graph::VariableOp variable = region_.variableOf(op))
    return deviceOf(variable);
  if (region_.isUpdate(op) || isApply(op)) {
    Operation *user = firstUser(op);
    return user ? deviceOf(user) : cluster_.chief();
  }
  if (isa<graph::ConstantOp, graph::InputOp, graph::ReplicaIndexOp>(op))
    return generatorDevice(op);
  return defaultDevice(op);
}

/// The first CPU of the wish's task; dist-assign-jobs checked that it exists.
DeviceAttr OpPlacer::wishedDevice(Operation *op) {
  StringRef job = jobOf(op);
  if (mode_ == Mode::BetweenGraph && ClusterAttr::runsReplicas(job))
    return isReplicated_ && !isApply(op)
               ? cluster_.cpu(cluster_.replicaJob(), -1)
               : cluster_.chief();
  FailureOr<DeviceSpec> wish = wishOf(op);
  assert(succeeded(wish) && "dist-assign-jobs checked it");
  graph::VariableOp variable = region_.variableOf(op);
  if (!wish->task && variable && deviceOf(variable).getJob() == job)
    return deviceOf(variable);
  return cluster_.cpu(job, wish->task.value_or(0));
}

/// What has no operands goes to its users, if they agree (TensorFlow's
/// heuristic A); a constant is copied to all of them when partitions form.
DeviceAttr OpPlacer::generatorDevice(Operation *op) {
  if (isReplicated_ && isa<graph::InputOp>(op))
    return defaultDevice(op); // each worker reads its own rows
  Operation *first = firstUser(op);
  auto isElsewhere = [&](Operation *user) {
    return deviceOf(user) != deviceOf(first);
  };
  if (!first || (!isa<graph::ConstantOp>(op) &&
                 llvm::any_of(op->getUsers(), isElsewhere)))
    return defaultDevice(op);
  if (deviceOf(first) != defaultDevice(op))
    setReason(op, "where " + describe(first) + " uses it");
  return deviceOf(first);
}

DeviceAttr OpPlacer::defaultDevice(Operation *op) {
  StringRef job = cluster_.replicaJob();
  if (isReplicated_)
    return cluster_.cpu(job, -1);
  if (mode_ == Mode::BetweenGraph)
    return cluster_.chief();
  auto tower = op->getAttrOfType<IntegerAttr>(towerAttrName);
  if (!tower)
    return cluster_.cpu(job, 0);
  if (mode_ == Mode::InGraph)
    setReason(op, "tower " + Twine(tower.getInt()) +
                      ": towers go round the tasks of job " + job);
  return cluster_.cpu(job, tower.getInt() % cluster_.numTasks(job));
}

struct Place : impl::PlacePassBase<Place> {
  using PlacePassBase::PlacePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(requireHeader(module)))
      return signalPassFailure();
    Variables variables(module);
    if (failed(choosePolicy(module, variables)))
      return signalPassFailure();
    for (JobAttr job : clusterOf(module).getJobs())
      VariablePlacer(module, job.getName(), variables).place();
    for (auto func : module.getOps<graph::FuncOp>())
      OpPlacer(func, variables).place();
  }

private:
  LogicalResult choosePolicy(ModuleOp module, const Variables &variables) {
    if (placement == "cost")
      return placeByCost(module, variables, deviceMemory);
    if (placement == "greedy")
      return success();
    return coded(module.emitError("there is no placement '"), Code::BadMode)
           << placement << "'; there are greedy and cost";
  }
};

} // namespace
} // namespace dtc::dist
