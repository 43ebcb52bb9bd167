// dist-replicate: a template for all workers (between-graph), or N towers.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/JoinRows.h"
#include "passes/dist/Passes.h"
#include "passes/dist/UpdateRegion.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_REPLICATEPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Clones what depends on the data, tower by tower, and combines it where it
/// enters an update or an output. Values that are the same in all towers are
/// computed once.
class Towers {
public:
  Towers(graph::FuncOp func, int64_t count, const Variables &variables)
      : func_(func), names_(func), region_(func, variables), count_(count),
        maps_(count) {}

  LogicalResult build() {
    if (failed(region_.checkMeetings("from tower to tower")))
      return failure();
    SmallVector<Operation *> bodies;
    for (Operation &op : func_.getBody().front())
      if (op.getNumResults() && region_.isPerReplica(op.getResult(0)))
        bodies.push_back(&op);
    for (Operation *op : bodies)
      cloneIntoTowers(op);
    SmallVector<Value> joined;
    for (OpOperand *use : region_.inflows()) {
      Meeting meeting = region_.meetingAt(*use);
      if (meeting == Meeting::Mean)
        use->set(meanOf(use->get(), use->getOwner()));
      if (meeting == Meeting::Rows) {
        use->set(rowsOf(use->get(), use->getOwner()));
        joined.push_back(use->get());
      }
    }
    return retypeUsers(func_, joined);
  }

private:
  void cloneIntoTowers(Operation *op);
  void giveReplica(Operation *op, int64_t tower);
  SmallVector<Value> ofAllTowers(Value value);
  Value meanOf(Value value, Operation *user);
  Value rowsOf(Value value, Operation *user);

  graph::FuncOp func_;
  NameTable names_;
  UpdateRegion region_;
  int64_t count_;
  std::vector<IRMapping> maps_;                  // of each tower
  DenseMap<Value, Value> means_, rows_;          // made so far
  DenseMap<Operation *, Operation *> lastClone_; // of an op of tower 0
};

void Towers::cloneIntoTowers(Operation *op) {
  Builder builder(op->getContext());
  bool isInput = isa<graph::InputOp>(op);
  Operation *last = op;
  op->setAttr(towerAttrName, builder.getI64IntegerAttr(0));
  for (int64_t tower = 1; tower < count_; ++tower) {
    Operation *clone = op->clone(maps_[tower]);
    clone->setAttr(towerAttrName, builder.getI64IntegerAttr(tower));
    for (auto [result, original] :
         llvm::zip_equal(clone->getResults(), op->getResults()))
      graph::setName(result, names_.take(graph::nameOf(original) + ".r" +
                                         std::to_string(tower)));
    if (isInput)
      clone->setAttr(blockAttrName, builder.getI64IntegerAttr(tower));
    last->getBlock()->getOperations().insertAfter(last->getIterator(), clone);
    last = clone;
    if (drawsForReplica(clone) && !isa<graph::ReplicaIndexOp>(clone))
      giveReplica(clone, tower);
  }
  if (isInput) {
    op->setAttr(blockAttrName, builder.getI64IntegerAttr(0));
    for (int64_t tower = 0; tower < count_; ++tower) {
      Value first =
          tower ? maps_[tower].lookup(op->getResult(0)) : op->getResult(0);
      first.getDefiningOp()->setAttr(blocksAttrName,
                                     builder.getI64IntegerAttr(count_));
    }
  }
  lastClone_[op] = last;
}

/// The number of a replica, before `op`, which asks for it.
static Value makeIndex(Operation *op, int64_t replica, StringRef name) {
  OpBuilder builder(op);
  Location loc = graph::namedLocation(name, graph::withoutNames(op->getLoc()));
  auto type = RankedTensorType::get({}, builder.getI64Type());
  auto number = graph::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getI64IntegerAttr(replica)));
  number->setAttr(jobAttrName, op->getAttr(jobAttrName));
  setReason(number, "the number of the replica");
  return number.getResult();
}

/// Tells a random op for which replica it draws; 0 is the default.
void Towers::giveReplica(Operation *op, int64_t tower) {
  std::string name = names_.take("replica" + std::to_string(tower));
  op->insertOperands(1, makeIndex(op, tower, name));
}

/// Each graph.replica_index becomes the number of its tower.
static void replaceIndices(graph::FuncOp func) {
  for (auto op : llvm::make_early_inc_range(
           func.getBody().front().getOps<graph::ReplicaIndexOp>())) {
    auto tower = op->getAttrOfType<IntegerAttr>(towerAttrName);
    op.getResult().replaceAllUsesWith(makeIndex(op, tower ? tower.getInt() : 0,
                                                graph::nameOf(op.getResult())));
    op.erase();
  }
}

/// Between-graph one text serves all workers: each random op asks, when it
/// runs, for which replica it draws.
static void askForReplicas(graph::FuncOp func) {
  NameTable names(func);
  for (Operation &op : func.getBody().front()) {
    if (!drawsForReplica(&op) || isa<graph::ReplicaIndexOp>(op))
      continue;
    OpBuilder builder(&op);
    Location loc = graph::namedLocation(names.take("replica"),
                                        graph::withoutNames(op.getLoc()));
    auto index = graph::ReplicaIndexOp::create(builder, loc);
    index->setAttr(jobAttrName, op.getAttr(jobAttrName));
    setReason(index, "the number of the replica");
    op.insertOperands(1, index.getResult());
  }
}

SmallVector<Value> Towers::ofAllTowers(Value value) {
  SmallVector<Value> values{value};
  for (int64_t tower = 1; tower < count_; ++tower)
    values.push_back(maps_[tower].lookupOrDefault(value));
  return values;
}

Value Towers::meanOf(Value value, Operation *user) {
  Value &mean = means_[value];
  if (mean)
    return mean;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfter(lastClone_.lookup(value.getDefiningOp()));
  Location loc = graph::namedLocation(
      names_.take(graph::nameOf(value) + ".mean"), value.getLoc());
  auto op = graph::ReplicaMeanOp::create(builder, loc, value.getType(),
                                         ofAllTowers(value));
  op->setAttr(jobAttrName, user->getAttr(jobAttrName));
  setReason(op,
            "mean over " + Twine(count_) + " towers, for " + describe(user));
  return mean = op.getResult();
}

/// The towers' rows one behind the other, before the first update that takes
/// them.
Value Towers::rowsOf(Value value, Operation *user) {
  Value &rows = rows_[value];
  if (rows)
    return rows;
  OpBuilder builder(user);
  auto decide = [&](Operation *op) {
    op->setAttr(jobAttrName, user->getAttr(jobAttrName));
    setReason(op,
              "rows of " + Twine(count_) + " towers, for " + describe(user));
  };
  std::string name = graph::nameOf(value);
  Location loc =
      graph::namedLocation(names_.take(name + ".all"), value.getLoc());
  auto all = graph::ConcatOp::create(builder, loc, ofAllTowers(value), 0);
  decide(all);
  all->setAttr(graph::updateAttrName,
               FlatSymbolRefAttr::get(region_.variableOf(user)));
  return rows = divideJoined(builder, all.getResult(), count_, name, names_,
                             decide);
}

struct Replicate : impl::ReplicatePassBase<Replicate> {
  using ReplicatePassBase::ReplicatePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(requireHeader(module)) || failed(checkReplicas()))
      return signalPassFailure();
    Builder builder(&getContext());
    Variables variables(module);
    for (auto func : module.getOps<graph::FuncOp>()) {
      int64_t workers =
          isReplicated(func) ? clusterOf(module).numReplicas() : 1;
      func->setAttr(replicasAttrName, builder.getI64IntegerAttr(workers));
      if (replicas > 1 && hasUpdates(func) &&
          failed(Towers(func, replicas, variables).build()))
        return signalPassFailure();
      if (workers > 1 || numbered)
        askForReplicas(func);
      else
        replaceIndices(func);
    }
  }

private:
  LogicalResult checkReplicas() {
    ModuleOp module = getOperation();
    constexpr int64_t mostTowers = 1024;
    if (replicas < 1 || replicas > mostTowers)
      return coded(module.emitError("the number of replicas is from 1 to "),
                   Code::BadMode)
             << mostTowers << ", not " << int64_t(replicas);
    if (replicas > 1 && modeOf(module) == Mode::BetweenGraph)
      return coded(
          module.emitError("in mode between-graph each worker is a replica; "
                           "--replicas makes towers in modes local and "
                           "in-graph"),
          Code::BadMode);
    return success();
  }
};

} // namespace
} // namespace dtc::dist
