#include "passes/kernel/Fusion.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/Copies.h"
#include "passes/kernel/LaneBuilder.h"
#include "passes/kernel/LaneOps.h"
#include "passes/kernel/MirrorSums.h"

using namespace mlir;
using namespace dtc;

ArrayRef<int64_t> kernel::shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Type kernel::elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// No loop nest has a dimension of size 0: such ops, which compute little, stay
/// on their reference kernels.
static bool hasEmptyTensor(Operation *op) {
  auto isEmpty = [](Value value) {
    return llvm::is_contained(kernel::shapeOf(value), 0);
  };
  return llvm::any_of(op->getOperands(), isEmpty) ||
         llvm::any_of(op->getResults(), isEmpty);
}

bool kernel::isGenerated(Operation *op) {
  return (isa<graph::ConstantOp>(op) && !hasEmptyTensor(op)) ||
         isElementwise(op) || isRoot(op);
}

bool kernel::isElementwise(Operation *op) {
  return op->hasTrait<graph::Elementwise>() && hasLanes(op) &&
         !hasEmptyTensor(op);
}

bool kernel::isView(Operation *op) {
  return isa<graph::BroadcastToOp, graph::ExpandDimsOp, graph::FillOp,
             graph::OneHotOp, graph::ReshapeOp, graph::SqueezeOp>(op) &&
         !hasEmptyTensor(op);
}

bool kernel::isReduction(Operation *op) {
  return isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
             graph::ReduceMinOp, graph::ReduceProdOp, graph::ArgmaxOp,
             graph::ArgminOp>(op);
}

bool kernel::isConvolution(Operation *op) {
  return isa<graph::Conv2dOp, graph::Conv2dBackpropInputOp,
             graph::Conv2dBackpropFilterOp, graph::DepthwiseConv2dOp,
             graph::DepthwiseConv2dBackpropInputOp,
             graph::DepthwiseConv2dBackpropFilterOp>(op);
}

bool kernel::isPool(Operation *op) {
  return isa<graph::AvgPoolGradOp, graph::AvgPoolOp, graph::MaxPoolOp>(op);
}

bool kernel::isScatter(Operation *op) {
  return isa<graph::IndexedSlicesOp, graph::ScatterAddOp,
             graph::ScatterUpdateOp>(op);
}

/// Lanes cannot go over the channels of a depthwise convolution that has
/// several filters a channel.
static bool hasManyFilters(Operation *op) {
  if (isa<graph::DepthwiseConv2dOp>(op))
    return kernel::shapeOf(op->getOperand(1))[3] != 1;
  if (isa<graph::DepthwiseConv2dBackpropInputOp>(op))
    return kernel::shapeOf(op->getOperand(0))[3] != 1;
  if (isa<graph::DepthwiseConv2dBackpropFilterOp>(op))
    return kernel::shapeOf(op->getResult(0))[3] != 1;
  return false;
}

/// Roots that are no views.
static bool isProperRoot(Operation *op) {
  if (hasEmptyTensor(op))
    return false;
  // 16-bit sums would have to wait in f32.
  if (isa<graph::MaxPoolGradOp>(op))
    return kernel::laneType(kernel::elementOf(op->getResult(0))) ==
           kernel::elementOf(op->getResult(0));
  if (kernel::isConvolution(op))
    return !hasManyFilters(op);
  return kernel::isMirrorSum(op) || kernel::isMove(op) || kernel::isPool(op) ||
         kernel::isReduction(op) || kernel::isScatter(op) ||
         isa<graph::BatchMatmulOp, graph::MatmulOp, graph::RangeOp,
             graph::SoftmaxOp, graph::SoftmaxCrossEntropyOp>(op);
}

bool kernel::isRoot(Operation *op) { return isProperRoot(op) || isView(op); }

bool kernel::readsWhole(Operation *op) {
  return isProperRoot(op) && !isMove(op) && !isScatter(op);
}

/// Whether element-wise ops may follow it in its kernel. Not where a root
/// writes its results block by block, adds to what it has stored, or has its
/// lanes over the last dimension but one.
static bool takesEpilogue(Operation *root) {
  return !kernel::isMove(root) && !kernel::isScatter(root) &&
         !isa<graph::DepthwiseConv2dBackpropFilterOp, graph::MaxPoolGradOp,
              graph::MirrorPadGradOp>(root);
}

bool kernel::canFuse(Operation *producer, Operation *consumer) {
  if (!isElementwise(consumer) || !isGenerated(producer))
    return false;
  if (!takesEpilogue(producer))
    return false;
  bool isSameShape =
      shapeOf(producer->getResult(0)) == shapeOf(consumer->getResult(0));
  if (isElementwise(producer) || isProperRoot(producer) ||
      isa<graph::ConstantOp, graph::OneHotOp>(producer))
    return isSameShape;
  // Other views may be broadcast further, unless somebody else needs them: an
  // output has the body's shape.
  return isView(producer) && (isSameShape || producer->hasOneUse());
}

int64_t kernel::laneOperations(Operation *op) {
  using namespace graph;
  if (!isElementwise(op))
    return 0;
  if (isa<PowOp>(op))
    return 200;
  if (isa<ErfOp, GeluOp, SinOp, CosOp>(op))
    return 80;
  if (isa<ExpOp, LogOp, TanhOp, SigmoidOp, SoftplusOp, EluOp>(op))
    return 30;
  // A few, and the rounding of 16-bit floats.
  return 3 + 2 * int64_t(op->getNumOperands());
}

int64_t kernel::mostLaneOperations(Operation *first) {
  return isProperRoot(first) ? 400 : 2000;
}

/// Inputs and constants: what roots and views read.
static bool isInMemory(Value value, Operation *reader) {
  if (isa<BlockArgument>(value))
    return true;
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  return constant &&
         !(kernel::readsWhole(reader) && kernel::isShortSplat(constant));
}

bool kernel::isShortSplat(graph::ConstantOp constant) {
  auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
  return value && value.isSplat() && value.getNumElements() > 1;
}

static LogicalResult expectInMemory(Operation *op) {
  for (Value operand : op->getOperands())
    if (!isInMemory(operand, op))
      return op->emitOpError("reads a value that its own kernel computes; it "
                             "must be an input of the kernel");
  return success();
}

/// Places one op of the body into `form`.
static LogicalResult sortOp(kernel::KernelForm &form, Operation *op) {
  if (isa<graph::ConstantOp>(op))
    return success();
  if (kernel::isElementwise(op)) {
    form.elementwise.push_back(op);
    return success();
  }
  if (!kernel::isRoot(op))
    return op->emitOpError("cannot be computed by a kernel");
  if (failed(expectInMemory(op)))
    return failure();
  if (kernel::isView(op))
    return success();
  if (form.root) {
    InFlightDiagnostic diag =
        op->emitOpError("cannot share a kernel with another root");
    diag.attachNote(form.root->getLoc()) << "the kernel's root is here";
    return diag;
  }
  form.root = op;
  return success();
}

/// Every value that is computed element by element has the kernel's shape.
static LogicalResult checkShapes(const kernel::KernelForm &form,
                                 Operation *terminator) {
  auto check = [&](Value value, Location loc) -> LogicalResult {
    if (kernel::shapeOf(value) == form.shape)
      return success();
    return mlir::emitError(loc)
           << "a kernel's results have one shape, but " << value.getType()
           << " is another than that of " << form.outputs.front().getType();
  };
  for (Value output : form.outputs)
    if (failed(check(output, terminator->getLoc())))
      return failure();
  for (Operation *op : form.elementwise)
    if (failed(check(op->getResult(0), op->getLoc())))
      return failure();
  if (form.root && failed(check(form.root->getResult(0), form.root->getLoc())))
    return failure();
  return success();
}

/// The results of a root without epilogue may differ in shape.
static LogicalResult checkIsAlone(const kernel::KernelForm &form) {
  auto isOfRoot = [&](Value output) {
    return output.getDefiningOp() == form.root;
  };
  if (form.elementwise.empty() && llvm::all_of(form.outputs, isOfRoot))
    return success();
  return form.root->emitOpError("must be alone in its kernel");
}

FailureOr<kernel::KernelForm> kernel::analyzeKernel(Block &body) {
  KernelForm form;
  for (Operation &op : body.without_terminator())
    if (failed(sortOp(form, &op)))
      return failure();
  Operation *terminator = body.getTerminator();
  llvm::append_range(form.outputs, terminator->getOperands());
  if (form.outputs.empty())
    return terminator->emitOpError("a kernel without outputs");
  form.shape = shapeOf(form.outputs.front());
  bool mustBeAlone = form.root && !takesEpilogue(form.root);
  if (failed(mustBeAlone ? checkIsAlone(form) : checkShapes(form, terminator)))
    return failure();
  return form;
}
