#include "passes/dist/ColocationGroups.h"
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/ColocationNames.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

std::vector<Device> devicesOf(ClusterAttr cluster) {
  std::vector<Device> devices;
  DeviceAttr chief = cluster.chief();
  for (JobAttr job : cluster.getJobs())
    for (int64_t task = 0; task < job.getTasks(); ++task)
      devices.push_back(
          {{job.getName().str(), 0, task, "CPU", 0},
           job.getName() == chief.getJob() && task == chief.getTask()});
  return devices;
}

FailureOr<size_t> ColocationGroups::nodeOf(Operation *op) {
  if (auto known = nodes_.find(op); known != nodes_.end())
    return known->second;
  FailureOr<DeviceSpec> wish = dist::wishOf(op);
  if (failed(wish))
    return failure();
  // Every op has a kernel for CPUs, and a task has no other device.
  size_t node = graph_.add(*wish);
  nodes_[op] = node;
  ops_.push_back(op);
  return node;
}

LogicalResult ColocationGroups::join(Operation *op, Operation *other,
                                     const Twine &why) {
  FailureOr<size_t> a = nodeOf(op), b = nodeOf(other);
  if (failed(a) || failed(b))
    return failure();
  if (*a != *b)
    graph_.unite(*a, *b, why.str());
  return success();
}

LogicalResult ColocationGroups::addVariables(ModuleOp module) {
  for (auto variable : module.getOps<graph::VariableOp>()) {
    if (failed(nodeOf(variable)))
      return failure();
    graph::VariableOp owner = variables_.ownerOf(variable);
    if (owner != variable &&
        failed(join(variable, owner, "is a slot of " + describe(owner))))
      return failure();
  }
  for (auto variable : module.getOps<graph::VariableOp>())
    if (failed(joinVariables(variable, nullptr)))
      return failure();
  return success();
}

static bool isApplyOp(Operation *op) {
  return isa<graph::ApplyAdagradOp, graph::ApplyAdamOp,
             graph::ApplyGradientDescentOp, graph::ApplyMomentumOp,
             graph::ApplyRmspropOp>(op);
}

/// Joins what names a variable, by its kind or by `colocate`.
LogicalResult ColocationGroups::joinVariables(Operation *op,
                                              const UpdateRegion *region) {
  graph::VariableOp updated =
      region ? region->variableOf(op) : graph::VariableOp();
  for (graph::VariableOp variable : colocatedVariables(op, variables_))
    if (failed(join(op, variable,
                    variable == updated
                        ? "updates " + describe(variable)
                        : "names " + describe(variable) + " in 'colocate'")))
      return failure();
  if (!region)
    return success();
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return join(op, variables_[read.getVariable()],
                "reads variable '" + read.getVariable() + "'");
  if (auto assign = dyn_cast<graph::AssignOp>(op))
    return join(op, variables_[assign.getVariable()],
                "assigns variable '" + assign.getVariable() + "'");
  if (updated && isApplyOp(op))
    return join(op, updated, "updates " + describe(updated));
  return success();
}

static int64_t towerOf(Operation *op) {
  auto tower = op->getAttrOfType<IntegerAttr>(towerAttrName);
  return tower ? tower.getInt() : -1;
}

/// `shared` are the names that something has which is in no tower.
LogicalResult ColocationGroups::joinLabels(Operation *op,
                                           const llvm::StringSet<> &shared) {
  for (StringRef name : colocationLabels(op)) {
    Label label{op->getParentOp(), name,
                shared.contains(name) ? -1 : towerOf(op),
                activationOf(op) == Activation::Apply};
    auto [holder, isNew] = holders_.try_emplace(label, op);
    if (isNew ? failed(nodeOf(op))
              : failed(join(op, holder->second,
                            "is with " + describe(holder->second) +
                                ": 'colocate' has '" + name + "'")))
      return failure();
  }
  return success();
}

LogicalResult ColocationGroups::add(graph::FuncOp func,
                                    const UpdateRegion &region) {
  llvm::StringSet<> shared;
  for (Operation &op : func.getBody().front())
    if (towerOf(&op) < 0)
      for (StringRef name : colocationLabels(&op))
        shared.insert(name);
  for (Operation &op : func.getBody().front()) {
    if (op.hasAttr(wishAttrName) && failed(nodeOf(&op)))
      return failure();
    if (isa<graph::OutputOp>(op))
      continue; // on the chief
    if (failed(joinVariables(&op, &region)) || failed(joinLabels(&op, shared)))
      return failure();
  }
  return success();
}

LogicalResult ColocationGroups::merge(bool soft) {
  std::vector<Colocation::Conflict> conflicts = graph_.merge(soft);
  for (Operation *op : ops_)
    if (!wishTextOf(op).empty())
      wishers_.try_emplace(groupOf(op), op);
  for (const Colocation::Conflict &conflict : conflicts)
    report(conflict);
  return success(conflicts.empty());
}

void ColocationGroups::report(const Colocation::Conflict &conflict) const {
  Operation *first = ops_[conflict.first], *second = ops_[conflict.second];
  InFlightDiagnostic error =
      coded(second->emitError(), Code::BadColocation)
      << describe(second) << " and " << describe(first)
      << " must be on one device, but ask for incompatible " << conflict.kinds
      << ": '" << wishTextOf(second) << "' and '" << wishTextOf(first) << "'";
  error.attachNote(first->getLoc())
      << describe(first) << " asks for '" << wishTextOf(first) << "'";
  explainChain(error, first, second);
  error.attachNote(second->getLoc())
      << describe(second) << " asks for '" << wishTextOf(second) << "'";
  error.attachNote() << "the cluster has " << clusterOf(second).describeTasks();
  error.attachNote() << "help: leave out the device of " << describe(second)
                     << ": it follows " << describe(first);
}

void ColocationGroups::explainChain(InFlightDiagnostic &error, Operation *from,
                                    Operation *to) const {
  for (const Colocation::Link &link :
       graph_.chain(nodes_.lookup(from), nodes_.lookup(to))) {
    Operation *teller = ops_[link.teller];
    error.attachNote(teller->getLoc()) << describe(teller) << " " << link.why;
  }
}

void ColocationGroups::explain(InFlightDiagnostic &error, Operation *op) const {
  Operation *wisher = wisherOf(op);
  for (Operation *member : ops_)
    if (groupOf(member) == groupOf(op) && !wishTextOf(member).empty()) {
      explainChain(error, wisher, member);
      error.attachNote(member->getLoc())
          << describe(member) << " asks for '" << wishTextOf(member) << "'";
    }
}

DeviceSpec ColocationGroups::wishOf(Operation *op) const {
  auto node = nodes_.find(op);
  return node == nodes_.end() ? DeviceSpec{} : graph_.wishOf(node->second);
}

graph::VariableOp ColocationGroups::variableOf(Operation *op) const {
  if (!contains(op))
    return {};
  // Variables come first, so a group that has one begins with one.
  auto variable = dyn_cast<graph::VariableOp>(ops_[groupOf(op)]);
  return variable ? variables_.ownerOf(variable) : variable;
}

Operation *
ColocationGroups::leaderOf(Operation *op,
                           function_ref<bool(Operation *)> others) const {
  for (size_t node = groupOf(op); node < ops_.size(); ++node)
    if (graph_.groupOf(node) == groupOf(op) && !others(ops_[node]))
      return ops_[node];
  return ops_[groupOf(op)];
}

Operation *ColocationGroups::wisherOf(Operation *op) const {
  if (!contains(op))
    return nullptr;
  auto found = wishers_.find(groupOf(op));
  return found == wishers_.end() ? nullptr : found->second;
}

} // namespace dtc::dist
