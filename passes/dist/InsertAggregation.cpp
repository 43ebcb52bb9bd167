// dist-insert-aggregation: accumulate and take where replicas meet.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/JoinRows.h"
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
/// A value that differs from replica to replica enters there as its mean, or as
/// all replicas' rows; any other is computed again behind it, once a step, from
/// variables and constants. With update async replicas do not meet: the same
/// happens once for each push, and what enters is this push's.
class Aggregation {
public:
  Aggregation(graph::FuncOp func, const Variables &variables)
      : func_(func), names_(func), region_(func, variables),
        isAsync_(isAsync(func.getOperation())),
        replicas_(isAsync_ ? 1 : clusterOf(func).numReplicas()) {}

  LogicalResult insert() {
    if (failed(region_.checkMeetings("from worker to worker")))
      return failure();
    SmallVector<Value> joined;
    for (OpOperand *use : region_.inflows()) {
      Meeting meeting = region_.meetingAt(*use);
      use->set(meeting == Meeting::Same ? computeAgain(use->get())
                                        : takeFor(*use, meeting));
      if (meeting == Meeting::Rows)
        joined.push_back(use->get());
    }
    if (failed(retypeUsers(func_, joined)))
      return failure();
    for (Operation &op : func_.getBody().front())
      if (region_.isUpdate(&op) || isa<graph::OutputOp>(op))
        setActivation(&op, Activation::Apply);
    eraseUnused();
    return success();
  }

private:
  Value takeFor(OpOperand &use, Meeting meeting);
  Value take(Value value, Meeting meeting, Operation *user);
  Value computeAgain(Value value);
  void eraseUnused();

  graph::FuncOp func_;
  NameTable names_;
  UpdateRegion region_;
  const bool isAsync_;
  const int64_t replicas_; // that meet
  // One take for each value and place, a variable or null for the chief, and
  // each way.
  DenseMap<std::tuple<Value, Operation *, Meeting>, Value> takes_;
  llvm::StringSet<> accumulators_;
  IRMapping again_; // value → what computes it once a step
};

Value Aggregation::takeFor(OpOperand &use, Meeting meeting) {
  Operation *user = use.getOwner();
  Operation *variable = region_.variableOf(user);
  Value &taken = takes_[{use.get(), variable, meeting}];
  if (!taken)
    taken = take(use.get(), meeting, user);
  return taken;
}

/// The replicas' value before `user`, where it is needed once a step.
Value Aggregation::take(Value value, Meeting meeting, Operation *user) {
  bool isRows = meeting == Meeting::Rows;
  std::string name = graph::nameOf(value), accumulator = name;
  for (int number = 2; !accumulators_.insert(accumulator).second; ++number)
    accumulator = name + "_" + std::to_string(number);
  auto decide = [&](Operation *op, Activation activation) {
    setActivation(op, activation);
    op->setAttr(jobAttrName, user->getAttr(jobAttrName));
    StringRef what = isAsync_ ? "each push"
                     : isRows ? "the replicas' rows"
                              : "the replicas' mean";
    setReason(op, what + " of '" + name + "', for " + describe(user));
  };
  OpBuilder builder(user);
  auto accumulate = AccumulateOp::create(
      builder, graph::withoutNames(value.getLoc()), value, accumulator, isRows);
  decide(accumulate, Activation::Serve);
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = graph::namedLocation(names_.take(name + (isAsync_ ? ".push"
                                                          : isRows ? ".all"
                                                                   : ".mean")),
                                      value.getLoc());
  auto taken = TakeOp::create(
      builder, loc, isRows ? joinedType(type, replicas_) : type, accumulator,
      isAsync_ ? Update::Async : Update::Sync, isRows);
  decide(taken, Activation::Apply);
  if (!isRows)
    return taken.getResult();
  return divideJoined(builder, taken.getResult(), replicas_, name, names_,
                      [&](Operation *op) { decide(op, Activation::Apply); });
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
      setReason(clone, Twine("the same for all replicas: computed once a ") +
                           (isAsync_ ? "push" : "step"));
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
    Variables variables(getOperation());
    for (auto func : getOperation().getOps<graph::FuncOp>())
      if (isReplicated(func) && failed(Aggregation(func, variables).insert()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace dtc::dist
