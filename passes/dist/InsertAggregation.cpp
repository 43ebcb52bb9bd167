// dist-insert-aggregation: accumulate and take where replicas meet.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/NameTable.h"
#include "passes/dist/Passes.h"
#include "passes/dist/UpdateRegion.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace dtc::dist {
#define GEN_PASS_DEF_INSERTAGGREGATIONPASS
#include "passes/dist/Passes.h.inc"

namespace {

/// Moves one entry's updates and outputs behind the point where replicas meet.
/// A value that differs from replica to replica enters there as its mean; any
/// other is computed again behind it, once a step, from variables and
/// constants.
class Aggregation {
public:
  explicit Aggregation(graph::FuncOp func)
      : func_(func), names_(func), region_(func) {}

  LogicalResult insert() {
    for (OpOperand *use : region_.inflows())
      if (region_.isPerReplica(use->get()) &&
          failed(checkMean(*use, "from worker to worker")))
        return failure();
    for (OpOperand *use : region_.inflows())
      use->set(region_.isPerReplica(use->get()) ? takeFor(*use)
                                                : computeAgain(use->get()));
    for (Operation &op : func_.getBody().front())
      if (region_.isUpdate(&op) || isa<graph::OutputOp>(op))
        setActivation(&op, Activation::Apply);
    eraseUnused();
    return success();
  }

private:
  Value takeFor(OpOperand &use);
  Value computeAgain(Value value);
  void eraseUnused();

  graph::FuncOp func_;
  NameTable names_;
  UpdateRegion region_;
  // One mean for each value and place: a variable, or null for the chief.
  DenseMap<std::pair<Value, Operation *>, Value> takes_;
  llvm::StringSet<> accumulators_;
  IRMapping again_; // value → what computes it once a step
};

Value Aggregation::takeFor(OpOperand &use) {
  Operation *user = use.getOwner();
  graph::VariableOp variable = region_.variableOf(user);
  Value value = use.get();
  Value &take = takes_[{value, variable.getOperation()}];
  if (take)
    return take;
  std::string name = graph::nameOf(value), accumulator = name;
  for (int number = 2; !accumulators_.insert(accumulator).second; ++number)
    accumulator = name + "_" + std::to_string(number);
  OpBuilder builder(user);
  auto accumulate = AccumulateOp::create(
      builder, graph::withoutNames(value.getLoc()), value, accumulator);
  Location loc =
      graph::namedLocation(names_.take(name + ".mean"), value.getLoc());
  auto taken =
      TakeOp::create(builder, loc, value.getType(), accumulator, Update::Sync);
  setActivation(accumulate, Activation::Serve);
  setActivation(taken, Activation::Apply);
  for (Operation *op : {accumulate.getOperation(), taken.getOperation()}) {
    op->setAttr(jobAttrName, user->getAttr(jobAttrName));
    setReason(op,
              "the replicas' mean of '" + name + "', for " + describe(user));
  }
  return take = taken.getResult();
}

/// Clones the ops that compute `value`, in program order.
Value Aggregation::computeAgain(Value value) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || again_.contains(op->getResult(0)) || !slice.insert(op))
      continue;
    llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> order = slice.takeVector();
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : order) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Operation *clone = builder.clone(*op, again_);
    for (auto [result, original] :
         llvm::zip_equal(clone->getResults(), op->getResults()))
      graph::setName(result, names_.take(graph::nameOf(original) + ".apply"));
    setActivation(clone, Activation::Apply);
    if (!isa<graph::ReadOp>(op))
      setReason(clone, "the same for all replicas: computed once a step");
  }
  return again_.lookupOrDefault(value);
}

/// What only fed updates has no user any more: its clone is used instead.
void Aggregation::eraseUnused() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(func_.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct InsertAggregation : impl::InsertAggregationPassBase<InsertAggregation> {
  void runOnOperation() override {
    if (failed(requireHeader(getOperation())))
      return signalPassFailure();
    for (auto func : getOperation().getOps<graph::FuncOp>())
      if (isReplicated(func) && failed(Aggregation(func).insert()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace dtc::dist
