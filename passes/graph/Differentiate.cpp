#include "passes/graph/Differentiate.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Ops.h"
#include "dialects/graph/Wishes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

namespace {

// One pass over the block forward, to find what depends on `wrt`, and one
// backward, to build. Neither recurses: graphs may be very deep.
class Differentiation {
public:
  Differentiation(Value loss, ArrayRef<Value> wrt, OpBuilder &builder)
      : loss_(loss), wrt_(wrt), builder_(builder) {}

  FailureOr<SmallVector<Value>> run() {
    findDependent();
    if (dependent_.contains(loss_)) {
      gradients_[loss_].push_back(makeSeed());
      for (Operation *op : llvm::reverse(path_))
        if (failed(visit(op)))
          return failure();
    }
    return llvm::map_to_vector(wrt_, [&](Value v) { return gradientOf(v); });
  }

private:
  // Fills `dependent_` with the values that `wrt` influences smoothly, and
  // `path_` with the ops that make them, in order, up to the loss.
  void findDependent() {
    dependent_.insert(wrt_.begin(), wrt_.end());
    Operation *end = loss_.getDefiningOp();
    if (!end)
      return;
    for (Operation &op : *end->getBlock()) {
      if (!op.hasTrait<StopsGradient>() &&
          llvm::any_of(op.getOperands(),
                       [&](Value v) { return dependent_.contains(v); })) {
        path_.push_back(&op);
        for (Value result : op.getResults())
          if (isFloatTensor(result.getType()))
            dependent_.insert(result);
      }
      if (&op == end)
        return;
    }
  }

  Value makeSeed() {
    auto type = cast<RankedTensorType>(loss_.getType());
    Attribute one = builder_.getFloatAttr(type.getElementType(), 1.0);
    return ConstantOp::create(
        builder_, namedLocation(nameOf(loss_) + ".grad", loss_.getLoc()),
        DenseElementsAttr::get(type, one));
  }

  // The sum of what the users of `value` contributed; null without any.
  Value gradientOf(Value value) {
    SmallVector<Value> &parts = gradients_[value];
    if (parts.empty())
      return {};
    if (parts.size() > 1)
      joinSparse(value, parts);
    Value sum = parts.front();
    for (Value part : ArrayRef(parts).drop_front())
      sum = AddOp::create(builder_, withoutNames(value.getLoc()), sum, part);
    parts = {sum};
    Operation *maker = sum.getDefiningOp();
    if (nameOf(sum).empty() && maker && !nameOf(value).empty())
      setName(sum, nameOf(value) + ".grad");
    return sum;
  }

  // The rows of a table that several gathers read are put one behind the other,
  // so that their gradient stays sparse: no table of zeros is made and summed.
  void joinSparse(Value table, SmallVector<Value> &parts) {
    SmallVector<Value> indices, rows;
    for (Value part : parts) {
      auto slices = part.getDefiningOp<IndexedSlicesOp>();
      if (!slices ||
          (!indices.empty() && getElementTypeOrSelf(slices.getIndices()) !=
                                   getElementTypeOrSelf(indices.front())))
        return;
      indices.push_back(slices.getIndices());
      rows.push_back(slices.getRows());
    }
    Location location = withoutNames(table.getLoc());
    Value allIndices = ConcatOp::create(builder_, location, indices, 0);
    Value allRows = ConcatOp::create(builder_, location, rows, 0);
    parts = {IndexedSlicesOp::create(builder_, location, table.getType(),
                                     allIndices, allRows)};
  }

  LogicalResult visit(Operation *op) {
    SmallVector<Value> outputs = llvm::map_to_vector(
        op->getResults(), [&](Value v) { return gradientOf(v); });
    if (llvm::none_of(outputs, [](Value v) { return bool(v); }))
      return success();
    auto differentiable = dyn_cast<GradientOpInterface>(op);
    if (!differentiable)
      return reportNoGradient(op);
    Operation *before = lastBuilt();
    SmallVector<Value> inputs;
    if (failed(differentiable.buildGradient(builder_, outputs, inputs)))
      return failure();
    assert(inputs.size() == op->getNumOperands() && "a gradient an operand");
    keepDevice(op, before);
    for (auto [operand, gradient] : llvm::zip_equal(op->getOperands(), inputs))
      if (gradient && dependent_.contains(operand))
        gradients_[operand].push_back(gradient);
    return success();
  }

  // The op before the insertion point; null at the block's begin.
  Operation *lastBuilt() {
    Block::iterator point = builder_.getInsertionPoint();
    return point == builder_.getBlock()->begin() ? nullptr : &*std::prev(point);
  }

  // Puts the ops built since `before` where the user put `op`.
  void keepDevice(Operation *op, Operation *before) {
    keepWishes(op, before, lastBuilt());
  }

  // Says which op is in the way, and from which value to which it is.
  LogicalResult reportNoGradient(Operation *op) {
    InFlightDiagnostic diagnostic =
        coded(op->emitError(), Code::NoGradient)
        << op->getName().stripDialect()
        << ": has no gradient, and the loss depends on "
           "trained variables through it";
    for (Value operand : op->getOperands())
      if (dependent_.contains(operand))
        diagnostic.attachNote(operand.getLoc())
            << "it gets " << quoted(operand) << ", which depends on them";
    diagnostic.attachNote(loss_.getLoc())
        << "the loss, " << quoted(loss_) << ", depends on its result";
    return diagnostic;
  }

  static std::string quoted(Value value) { return "'" + nameOf(value) + "'"; }

  Value loss_;
  ArrayRef<Value> wrt_;
  OpBuilder &builder_;
  llvm::DenseSet<Value> dependent_;
  SmallVector<Operation *> path_;
  // Looked up only, never iterated.
  llvm::DenseMap<Value, SmallVector<Value>> gradients_;
};

} // namespace

FailureOr<SmallVector<Value>>
dtc::graph::differentiate(Value loss, ArrayRef<Value> wrt, OpBuilder &builder) {
  return Differentiation(loss, wrt, builder).run();
}
