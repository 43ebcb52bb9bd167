// push-transposes: transpose(f(transpose(x))) is f(x) where the two
// permutations undo each other and f is made of element-wise ops that nobody
// else reads.
#include "mlir/IR/IRMapping.h"
#include "passes/graph/Rules.h"

using namespace mlir;
using namespace dtc::graph;

namespace {

// What lies between two transposes, op by op from the lower one upwards.
class Between {
public:
  explicit Between(TransposeOp lower) : lower_(lower) {}

  // Fills `ops_`; false if something is in the way.
  bool find() {
    Operation *first = lower_.getX().getDefiningOp();
    if (!first || !isCrossable(first))
      return false;
    ops_.push_back(first);
    for (size_t next = 0; next < ops_.size(); ++next)
      for (Value operand : ops_[next]->getOperands())
        if (!cross(operand, ops_[next]))
          return false;
    return meets_;
  }

  // The ops again, on what is above the upper transposes.
  Value rebuild(OpBuilder &builder) {
    IRMapping values;
    for (auto [transposed, value] : above_)
      values.map(transposed, value);
    for (Operation *op : llvm::reverse(ops_)) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      Operation *copy = builder.clone(*op, values);
      copy->getResult(0).setType(type.clone(permuted(type.getShape())));
    }
    return values.lookup(lower_.getX());
  }

private:
  static constexpr size_t maxOps = 16;

  static bool isCrossable(Operation *op) {
    return op->hasTrait<Elementwise>() && op->getNumResults() == 1 &&
           op->hasOneUse() && !isa<BiasAddOp>(op);
  }

  bool cross(Value operand, Operation *user) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getRank() == 0)
      return true;
    // A smaller operand broadcasts along dimensions that would move.
    if (type.getShape() != shapeOf(user->getResult(0)))
      return false;
    if (auto upper = operand.getDefiningOp<TransposeOp>();
        upper && isInverse(upper)) {
      above_.push_back({operand, upper.getX()});
      return meets_ = true;
    }
    Operation *maker = operand.getDefiningOp();
    if (!maker || !isCrossable(maker) || ops_.size() == maxOps)
      return false;
    ops_.push_back(maker);
    return true;
  }

  bool isInverse(TransposeOp upper) {
    for (auto [to, from] : llvm::enumerate(lower_.getPerm()))
      if (upper.getPerm()[from] != int64_t(to))
        return false;
    return true;
  }

  SmallVector<int64_t> permuted(ArrayRef<int64_t> shape) {
    return llvm::map_to_vector(lower_.getPerm(),
                               [&](int64_t dim) { return shape[dim]; });
  }

  TransposeOp lower_;
  SmallVector<Operation *> ops_; // users before what they use
  SmallVector<std::pair<Value, Value>> above_;
  bool meets_ = false;
};

} // namespace

Value dtc::graph::pushTransposes(Operation *op, OpBuilder &builder) {
  auto lower = dyn_cast<TransposeOp>(op);
  if (!lower)
    return {};
  Between between(lower);
  return between.find() ? between.rebuild(builder) : Value();
}
