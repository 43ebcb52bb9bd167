// dist-place: a full device, an activation and a reason for everything.
#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Cost.h"
#include "passes/dist/Passes.h"
#include "passes/dist/PlaceByCost.h"
#include "passes/dist/PlaceVariables.h"
#include "passes/dist/UpdateRegion.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_PLACEPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Places an entry's ops last to first, so that an op may follow its users.
class OpPlacer {
public:
  OpPlacer(graph::FuncOp func, const UpdateRegion &region,
           const PlacementInputs &inputs)
      : func_(func), cluster_(clusterOf(func)), mode_(modeOf(func)),
        isReplicated_(isReplicated(func)), variables_(inputs.variables),
        groups_(inputs.groups), own_(inputs.own), file_(inputs.file),
        region_(region) {}

  void place() {
    for (Operation &op : llvm::reverse(func_.getBody().front())) {
      DeviceAttr device = deviceFor(&op);
      if (isa<TakeOp>(op))
        accumulators_[cast<TakeOp>(op).getAccumulator()] = device;
      writeDevice(
          &op, device,
          ActivationAttr::get(op.getContext(), activationFor(&op, device)));
    }
    for (auto op : func_.getBody().front().getOps<graph::ShapeOp>())
      followOperand(op);
  }

private:
  DeviceAttr deviceFor(Operation *op);
  DeviceAttr deviceAlone(Operation *op);
  DeviceAttr groupDevice(Operation *op);
  void followOperand(graph::ShapeOp op);
  DeviceAttr wishedDevice(Operation *op);
  DeviceAttr generatorDevice(Operation *op);
  DeviceAttr lookUpDevice(Operation *op);
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
  const ColocationGroups &groups_;
  const OwnDevices &own_;
  const PlacementFile &file_;
  const UpdateRegion &region_;
  llvm::StringMap<DeviceAttr> accumulators_;
  llvm::DenseMap<size_t, DeviceAttr> groupDevices_; // without a wish
};

/// What makes values out of nothing.
bool isGenerator(Operation *op) {
  return isa<graph::ConstantOp, graph::InputOp, graph::ReplicaIndexOp>(op);
}

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
  bool isInGroup = mode_ != Mode::Local && groups_.contains(op);
  if (isInGroup)
    if (graph::VariableOp variable = groups_.variableOf(op))
      return deviceOf(variable);
  if (DeviceAttr given = file_.deviceOf(own_, op)) {
    setReason(op, file_.reasonOf(own_, op));
    return given;
  }
  return isInGroup ? groupDevice(op) : deviceAlone(op);
}

/// The device of an op that need not be with another.
DeviceAttr OpPlacer::deviceAlone(Operation *op) {
  if (graph::VariableOp variable = region_.variableOf(op))
    return deviceOf(variable);
  if (region_.isUpdate(op) || isApply(op)) {
    Operation *user = firstUser(op);
    return user ? deviceOf(user) : cluster_.chief();
  }
  if (isGenerator(op))
    return generatorDevice(op);
  if (DeviceAttr table = lookUpDevice(op))
    return table;
  return defaultDevice(op);
}

/// The table's device, if fewer bytes travel when rows are looked up there: the
/// indices and the rows of all look-ups, and not the table, which nobody else
/// in the step needs. Else null.
DeviceAttr OpPlacer::lookUpDevice(Operation *op) {
  auto gather = dyn_cast<graph::GatherOp>(op);
  auto table =
      gather ? gather.getX().getDefiningOp<graph::ReadOp>() : graph::ReadOp();
  if (!table || mode_ == Mode::Local)
    return nullptr;
  int64_t bytes = 0;
  for (Operation *user : table->getUsers()) {
    if (region_.isUpdate(user) || isApply(user))
      continue;
    auto other = dyn_cast<graph::GatherOp>(user);
    if (!other || other.getX() != table.getValue())
      return nullptr;
    bytes += graph::sizeBytes(other.getIndices().getType()) +
             graph::sizeBytes(other.getType());
  }
  int64_t whole = graph::sizeBytes(table.getType());
  DeviceAttr device = deviceOfVariable(table.getVariable());
  if (bytes >= whole || device == defaultDevice(op))
    return nullptr;
  setReason(op, "looks up rows of '" + table.getVariable() +
                    "' where it lives: " + Twine(bytes) +
                    " bytes of indices and rows travel, not " + Twine(whole));
  return device;
}

/// What a group without a variable asks for; else the device that its first
/// member would have alone, since sources follow others.
DeviceAttr OpPlacer::groupDevice(Operation *op) {
  if (!(groups_.wishOf(op) == DeviceSpec{}))
    return wishedDevice(op);
  DeviceAttr &device = groupDevices_[groups_.groupOf(op)];
  if (device)
    return device;
  Operation *leader = groups_.leaderOf(op, isGenerator);
  return device = deviceOf(leader) ? deviceOf(leader) : deviceAlone(leader);
}

/// What is made from a value's shape alone is where the value is made
/// (TensorFlow's heuristic B, P3).
void OpPlacer::followOperand(graph::ShapeOp op) {
  Operation *definition = op.getX().getDefiningOp();
  if (!definition || isa<graph::ConstantOp>(definition) ||
      groups_.contains(op) || file_.deviceOf(own_, op) ||
      region_.isUpdate(op) || isApply(op))
    return;
  if (deviceOf(definition) != deviceOf(op))
    setReason(op, "made from the shape of " + describe(definition) +
                      ", where that is");
  op->setAttr(deviceAttrName, deviceOf(definition));
  setActivation(op, *activationOf(definition));
}

/// The first CPU of the wish's task; dist-assign-jobs checked that it exists.
DeviceAttr OpPlacer::wishedDevice(Operation *op) {
  StringRef job = jobOf(op);
  if (mode_ == Mode::BetweenGraph && ClusterAttr::runsReplicas(job))
    return isReplicated_ && !isApply(op)
               ? cluster_.cpu(cluster_.replicaJob(), -1)
               : cluster_.chief();
  DeviceSpec wish = groups_.wishOf(op);
  graph::VariableOp variable = region_.variableOf(op);
  if (!wish.task && variable && deviceOf(variable).getJob() == job)
    return deviceOf(variable);
  return cluster_.cpu(job, wish.task.value_or(0));
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
    FailureOr<PlacementPolicy> policy = readPolicy();
    if (failed(requireHeader(module)) || failed(policy))
      return signalPassFailure();
    Variables variables(module);
    if (placement == "cost" &&
        failed(placeByCost(module, variables, deviceMemory)))
      return signalPassFailure();
    // Anew: there are towers now, and what runs once a step is apart.
    ColocationGroups groups(variables);
    Entries entries;
    if (failed(groups.addVariables(module)))
      return signalPassFailure();
    for (auto func : module.getOps<graph::FuncOp>()) {
      entries.insert({func, UpdateRegion(func, variables)});
      if (failed(groups.add(func, entries.back().second)))
        return signalPassFailure();
    }
    OwnDevices own(variables, groups);
    FailureOr<PlacementFile> file = PlacementFile();
    if (failed(groups.merge(/*soft=*/false)) ||
        failed(file = readFile(variables, groups, own, entries)))
      return signalPassFailure();
    PlacementInputs inputs{variables, groups, own, *file};
    placeVariables(module, inputs, *policy);
    for (auto &[func, region] : entries)
      OpPlacer(func, region, inputs).place();
  }

private:
  FailureOr<PlacementPolicy> readPolicy() {
    // Of manual and cost nothing is left to place.
    if (placement == "greedy" || placement == "manual" || placement == "cost")
      return PlacementPolicy::Greedy;
    if (placement == "round-robin")
      return PlacementPolicy::RoundRobin;
    return coded(getOperation().emitError("there is no placement '"),
                 Code::BadMode)
           << placement << "'; there are greedy, round-robin, manual and cost";
  }

  FailureOr<PlacementFile> readFile(const Variables &variables,
                                    const ColocationGroups &groups,
                                    const OwnDevices &own,
                                    const Entries &entries) {
    FailureOr<PlacementFile> file = PlacementFile::read(
        getOperation(), place, placeName, variables, groups, entries);
    if (succeeded(file) && placement == "manual" &&
        failed(file->checkComplete(getOperation(), own, entries)))
      return failure();
    return file;
  }
};

} // namespace
} // namespace dtc::dist
