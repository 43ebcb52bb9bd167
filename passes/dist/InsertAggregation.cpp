// dist-insert-aggregation: accumulate and take where replicas meet.
#include "dialects/diagnostics/Coded.h"
#include "passes/dist/JoinRows.h"
#include "passes/dist/Passes.h"
#include "passes/dist/UpdateRegion.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

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
    SmallVector<OpOperand *> same;
    SmallVector<Value> joined;
    for (OpOperand *use : region_.inflows()) {
      Meeting meeting = region_.meetingAt(*use);
      if (meeting == Meeting::Same) {
        same.push_back(use);
        continue;
      }
      use->set(takeFor(*use, meeting));
      if (meeting == Meeting::Rows)
        joined.push_back(use->get());
    }
    if (failed(retypeUsers(func_, joined)))
      return failure();
    computeOnce(same);
    for (Operation &op : func_.getBody().front())
      if (isOnce(&op))
        setActivation(&op, Activation::Apply);
    return success();
  }

private:
  Value takeFor(OpOperand &use, Meeting meeting);
  Value take(Value value, Meeting meeting, Operation *user);
  void computeOnce(ArrayRef<OpOperand *> uses);
  SmallVector<Operation *> makersOf(ArrayRef<OpOperand *> uses);
  void findMoved(ArrayRef<Operation *> makers);
  void putOnce(Operation *op, IRMapping &clones);
  /// Whether the op itself runs once a step.
  bool isOnce(Operation *op) const {
    return moved_.contains(op) || region_.isUpdate(op) ||
           isa<graph::OutputOp>(op);
  }

  graph::FuncOp func_;
  NameTable names_;
  UpdateRegion region_;
  const bool isAsync_;
  const int64_t replicas_; // that meet
  // One take for each value and place, a variable or null for the chief, and
  // each way.
  DenseMap<std::tuple<Value, Operation *, Meeting>, Value> takes_;
  llvm::StringSet<> accumulators_;
  // What computes what is the same for all replicas, and serves nobody else.
  DenseSet<Operation *> moved_;
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

/// Lets each of `uses`, which takes the same from all replicas, take what is
/// computed once a step.
void Aggregation::computeOnce(ArrayRef<OpOperand *> uses) {
  SmallVector<Operation *> makers = makersOf(uses);
  findMoved(makers);
  IRMapping clones;
  for (Operation *op : makers)
    putOnce(op, clones);
  for (OpOperand *use : uses)
    use->set(clones.lookupOrDefault(use->get()));
}

/// All that `uses` are computed from, in program order.
SmallVector<Operation *> Aggregation::makersOf(ArrayRef<OpOperand *> uses) {
  DenseSet<Operation *> found;
  SmallVector<Operation *> makers, pending;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); op && found.insert(op).second)
      pending.push_back(op);
  };
  for (OpOperand *use : uses)
    add(use->get());
  while (!pending.empty()) {
    makers.push_back(pending.pop_back_val());
    llvm::for_each(makers.back()->getOperands(), add);
  }
  llvm::sort(makers,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return makers;
}

/// A maker moves if all its users run once a step. Users come later in program
/// order, so they are known already.
void Aggregation::findMoved(ArrayRef<Operation *> makers) {
  for (Operation *op : llvm::reverse(makers))
    if (llvm::all_of(op->getUsers(), [&](Operation *u) { return isOnce(u); }))
      moved_.insert(op);
}

/// Moves `op` behind the point where replicas meet, or a clone of it.
void Aggregation::putOnce(Operation *op, IRMapping &clones) {
  Operation *once = op;
  if (isOnce(op)) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(clones.lookupOrDefault(operand.get()));
  } else {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    once = builder.clone(*op, clones);
    for (auto [result, original] :
         llvm::zip_equal(once->getResults(), op->getResults()))
      graph::setName(result, names_.take(graph::nameOf(original) + ".apply"));
  }
  setActivation(once, Activation::Apply);
  if (!isa<graph::ReadOp>(op))
    setReason(once, Twine("the same for all replicas: computed once a ") +
                        (isAsync_ ? "push" : "step"));
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
