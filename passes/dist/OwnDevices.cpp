// Who has a device of its own, and the text that says which.
#include "passes/dist/PlacementFile.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

/// Where an update runs whose device is not its own.
static DeviceAttr followedDevice(Operation *op, const UpdateRegion &region) {
  if (graph::VariableOp variable = region.variableOf(op))
    return deviceOf(variable);
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (!first || user->isBeforeInBlock(first))
      first = user;
  return first ? deviceOf(first) : DeviceAttr();
}

std::string OwnDevices::whyFollows(Operation *op) const {
  if (auto variable = dyn_cast<graph::VariableOp>(op)) {
    graph::VariableOp leader = groups_.variableOf(variable);
    if (!leader)
      leader = variables_.ownerOf(variable);
    return leader == variable ? "" : "is with " + describe(leader);
  }
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return "reads variable '" + read.getVariable().str() + "' where it lives";
  if (graph::VariableOp variable = groups_.variableOf(op))
    return "is with " + describe(variable);
  if (isa<graph::ConstantOp>(op))
    return "is a constant, which is copied to where it is used";
  if (op->getNumResults() == 0 || isa<TakeOp>(op))
    return "is where replicas meet, which is where their mean is used";
  if (op->hasAttr(followsAttrName))
    return "was made for others, and is where they need it";
  return "";
}

namespace {

class Printer {
public:
  explicit Printer(ModuleOp module)
      : module_(module), variables_(module), groups_(variables_),
        own_(variables_, groups_) {}

  std::string print() {
    for (auto func : module_.getOps<graph::FuncOp>())
      entries_.insert({func, UpdateRegion(func, variables_)});
    // Wishes are gone in this phase, so nothing can be wrong with them.
    (void)groups_.addVariables(module_);
    for (auto &[func, region] : entries_)
      (void)groups_.add(func, region);
    text_.remark = remark();
    addVariables();
    for (auto &[func, region] : entries_)
      addEntry(func, region);
    return text_.toString();
  }

private:
  std::string remark() {
    std::string cluster;
    for (JobAttr job : clusterOf(module_).getJobs())
      cluster += (cluster.empty() ? "" : ",") + job.getName().str() + "=" +
                 std::to_string(job.getTasks());
    std::string mode = stringifyMode(modeOf(module_)).str();
    std::replace(mode.begin(), mode.end(), '_', '-');
    return "Placement of " + module_.getName().value_or("the graph").str() +
           ": mode " + mode + ", cluster " + cluster;
  }

  void addVariables() {
    text_.sections.push_back({false, {"variables"}, {}});
    for (auto variable : module_.getOps<graph::VariableOp>())
      if (own_.whyFollows(variable).empty())
        addLine(variable.getSymName().str(), variable);
    if (text_.sections.back().lines.empty())
      text_.sections.pop_back();
  }

  void addEntry(graph::FuncOp func, const UpdateRegion &region) {
    text_.sections.push_back({true, {func.getSymName().str()}, {}});
    llvm::DenseSet<Operation *> spoken;
    for (Operation &op : func.getBody().front()) {
      if (!own_.whyFollows(&op).empty())
        continue;
      bool isUpdate =
          region.isUpdate(&op) || activationOf(&op) == Activation::Apply;
      if (isUpdate && deviceOf(&op) == followedDevice(&op, region))
        continue;
      if (spoken.insert(own_.speakerOf(&op)).second)
        addLine(graph::nameOf(&op), &op);
    }
    if (text_.sections.back().lines.empty())
      text_.sections.pop_back();
  }

  void addLine(std::string name, Operation *op) {
    text_.sections.back().lines.push_back(
        {{std::move(name)}, {deviceOf(op).toString()}});
  }

  ModuleOp module_;
  Variables variables_;
  ColocationGroups groups_;
  OwnDevices own_;
  Entries entries_;
  PlacementText text_;
};

} // namespace

std::string printPlacement(ModuleOp module) { return Printer(module).print(); }

} // namespace dtc::dist
