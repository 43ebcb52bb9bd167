// dist-split-variables: variables that are too large for one task, and their
// slots, become parts; reads, look-ups and updates follow.
#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Wishes.h"
#include "passes/dist/ClusterText.h"
#include "passes/dist/Decisions.h"
#include "passes/dist/Passes.h"
#include "passes/dist/SplitEntry.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
#define GEN_PASS_DEF_SPLITVARIABLESPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// The elements of part `index` of the elements of a whole variable.
Attribute partOfElements(DenseElementsAttr whole, const Split &split,
                         int64_t index) {
  RankedTensorType type =
      split.partOf(cast<RankedTensorType>(whole.getType()), index);
  if (whole.isSplat())
    return DenseElementsAttr::get(type, whole.getSplatValue<Attribute>());
  ArrayRef<int64_t> shape = whole.getType().getShape();
  int64_t inner = 1, size = shape[split.axis];
  for (int64_t dim : shape.drop_front(split.axis + 1))
    inner *= dim;
  int64_t start = split.startOf(size, index);
  SmallVector<Attribute> elements;
  for (auto [at, element] : llvm::enumerate(whole.getValues<Attribute>())) {
    int64_t position = at / inner % size;
    if (split.interleaved
            ? position % split.count == index
            : position >= start && position < start + split.sizeOf(size, index))
      elements.push_back(element);
  }
  return DenseElementsAttr::get(type, elements);
}

/// The variable that `name` means to `op`: itself, or by its value.
graph::VariableOp variableNamed(StringRef name, Operation *op,
                                const Variables &variables) {
  if (!isa<graph::VariableOp>(op))
    for (Operation &other : *op->getBlock())
      if (auto read = dyn_cast<graph::ReadOp>(other);
          read && graph::nameOf(read.getResult()) == name)
        return variables.find(read.getVariable());
  return variables.find(name);
}

/// What is to be with a split variable is with its first part.
void moveColocation(Operation *op, const Variables &variables,
                    const SplitTable &splits) {
  SmallVector<StringRef> names = graph::colocationNames(op);
  SmallVector<std::string> moved;
  bool isMoved = false;
  for (StringRef name : names) {
    graph::VariableOp variable = variableNamed(name, op, variables);
    bool isSplit = variable && splits.contains(variable);
    isMoved |= isSplit;
    moved.push_back(isSplit
                        ? partName(variable.getSymName(),
                                   variables.ownerOf(variable).getSymName(), 0)
                        : name.str());
  }
  if (!isMoved)
    return;
  SmallVector<StringRef> refs(moved.begin(), moved.end());
  op->setAttr(graph::colocateWishName,
              Builder(op->getContext()).getStrArrayAttr(refs));
}

struct SplitVariables : impl::SplitVariablesPassBase<SplitVariables> {
  using SplitVariablesPassBase::SplitVariablesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<bool> hasServers = findServers();
    if (failed(hasServers))
      return signalPassFailure();
    Variables variables(module);
    SplitTable splits;
    for (auto variable : module.getOps<graph::VariableOp>())
      if (failed(decide(variable, *hasServers, variables, splits)))
        return signalPassFailure();
    if (splits.empty())
      return;
    for (auto &[variable, split] : splits)
      if (failed(makeParts(variable, split, variables)))
        return signalPassFailure();
    module.walk([&](Operation *op) { moveColocation(op, variables, splits); });
    for (auto func : module.getOps<graph::FuncOp>())
      splitEntry(func, variables, splits);
    for (auto &[variable, split] : splits)
      variable.erase();
  }

private:
  FailureOr<bool> findServers();
  LogicalResult decide(graph::VariableOp variable, bool hasServers,
                       const Variables &variables, SplitTable &splits);
  LogicalResult makeParts(graph::VariableOp variable, const Split &split,
                          const Variables &variables);
};

/// Whether there is a job ps to split variables over.
FailureOr<bool> SplitVariables::findServers() {
  ModuleOp module = getOperation();
  auto modeAttr = module->getAttrOfType<ModeAttr>(modeAttrName);
  auto clusterAttr = module->getAttrOfType<ClusterAttr>(clusterAttrName);
  if (!mode.empty()) {
    FailureOr<Mode> given = parseModeText(mode, module.getLoc());
    if (failed(given))
      return failure();
    modeAttr = ModeAttr::get(&getContext(), *given);
  }
  if (!modeAttr || modeAttr.getValue() == Mode::Local)
    return false;
  if (!cluster.empty()) {
    FailureOr<ClusterAttr> given = parseClusterText(cluster, module.getLoc());
    if (failed(given))
      return failure();
    clusterAttr = *given;
  }
  return clusterAttr && clusterAttr.hasJob("ps");
}

/// A slot is split as its variable is, which stands before it.
LogicalResult SplitVariables::decide(graph::VariableOp variable,
                                     bool hasServers,
                                     const Variables &variables,
                                     SplitTable &splits) {
  graph::VariableOp owner = variables.ownerOf(variable);
  if (owner != variable) {
    if (auto found = splits.find(owner);
        found != splits.end() && owner.getType() == variable.getType())
      splits.insert({variable, found->second});
    return success();
  }
  FailureOr<std::optional<Split>> split = splitOf(variable, maxShardBytes);
  if (failed(split))
    return failure();
  variable->removeAttr(shardsAttrName);
  variable->removeAttr(strategyAttrName);
  if (*split && hasServers)
    splits.insert({variable, **split});
  return success();
}

LogicalResult SplitVariables::makeParts(graph::VariableOp variable,
                                        const Split &split,
                                        const Variables &variables) {
  OpBuilder builder(variable);
  StringRef name = variable.getSymName();
  StringRef owner = variables.ownerOf(variable).getSymName();
  auto whole = cast<RankedTensorType>(variable.getType());
  for (int64_t index = 0; index < split.count; ++index) {
    std::string part = partName(name, owner, index);
    if (variables.find(part))
      return coded(variable.emitError("'"), Code::BadShards)
             << name << "' cannot be split: there is a variable '" << part
             << "'";
    Attribute initializer = variable.getInitializer();
    if (auto elements = dyn_cast<DenseElementsAttr>(initializer))
      initializer = partOfElements(elements, split, index);
    auto made = graph::VariableOp::create(builder, variable.getLoc(), part,
                                          split.partOf(whole, index),
                                          initializer, variable.getSlot());
    made->setDiscardableAttrs(variable->getDiscardableAttrDictionary());
    made->setAttr(shardAttrName,
                  ShardAttr::get(&getContext(), name, whole.getShape(),
                                 split.axis, index, split.count,
                                 split.interleaved));
  }
  return success();
}

} // namespace
} // namespace dtc::dist
