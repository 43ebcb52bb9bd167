// graph-infer-shapes: every result's type, in order, from its operands' types.
//
// With `batch`, the inputs of functions that train take that many rows, and
// the rest follows. Types that the text gives (reshape, broadcast_to, cast)
// follow too: a reshape or broadcast that keeps the leading dimension keeps it
// under any batch.
#include "mlir/IR/Verifier.h"
#include "passes/graph/Passes.h"
#include "llvm/ADT/DenseSet.h"

namespace dtc::graph {
#define GEN_PASS_DEF_INFERSHAPES
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

static bool isTraining(FuncOp func) {
  return !func.getBody().front().getOps<MinimizeOp>().empty();
}

// `type` with another leading dimension.
static RankedTensorType withLeading(RankedTensorType type, int64_t leading) {
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = leading;
  return type.clone(shape);
}

static void setBatch(InputOp input, int64_t batch) {
  for (OpResult result : input->getResults())
    result.setType(
        withLeading(cast<RankedTensorType>(result.getType()), batch));
}

namespace {

// Retypes the ops of one function in order.
class Inference {
public:
  explicit Inference(Block &block) : block_(block) {
    for (Operation &op : block)
      if (keepsLeading(&op))
        keepLeading_.insert(&op);
  }

  LogicalResult run() {
    for (Operation &op : block_)
      if (failed(retype(&op)))
        return failure();
    return success();
  }

private:
  static bool isShapedByText(Operation *op) {
    return isa<ReshapeOp, BroadcastToOp>(op);
  }
  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  static bool keepsLeading(Operation *op) {
    if (!isShapedByText(op))
      return false;
    RankedTensorType from = typeOf(op->getOperand(0));
    RankedTensorType to = typeOf(op->getResult(0));
    return from.getRank() >= 1 && to.getRank() >= 1 &&
           from.getDimSize(0) == to.getDimSize(0);
  }

  LogicalResult retype(Operation *op) {
    if (auto cast = dyn_cast<CastOp>(op)) {
      cast.getY().setType(
          cast.getY().getType().clone(cast.getX().getType().getShape()));
      return success();
    }
    if (isShapedByText(op)) {
      if (keepLeading_.contains(op))
        op->getResult(0).setType(withLeading(
            typeOf(op->getResult(0)), typeOf(op->getOperand(0)).getDimSize(0)));
      return success(); // the verifier compares the element counts
    }
    auto rule = dyn_cast<InferTypeOpInterface>(op);
    if (!rule)
      return success();
    SmallVector<Type> types;
    if (failed(rule.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    return success();
  }

  Block &block_;
  llvm::DenseSet<Operation *> keepLeading_; // looked up only
};

struct InferShapesPass : dtc::graph::impl::InferShapesBase<InferShapesPass> {
  using InferShapesBase::InferShapesBase;

  void runOnOperation() override {
    FuncOp func = getOperation();
    Inference inference(func.getBody().front());
    if (batch > 0 && isTraining(func))
      for (auto input : func.getBody().front().getOps<InputOp>())
        setBatch(input, batch);
    // Verified here, whether or not the pass manager does: another batch may
    // have left a reshape impossible, and gradients are built from shapes.
    if (failed(inference.run()) || failed(verify(func)))
      signalPassFailure();
  }
};

} // namespace
