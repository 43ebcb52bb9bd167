#include "dialects/graph/Ops.h"
#include "passes/kernel/KernelBody.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

/// The axes that a reduction reduces.
static SmallVector<int64_t> reducedAxes(Operation *op) {
  if (auto axis = op->getAttrOfType<IntegerAttr>("axis"))
    return {axis.getInt()};
  return SmallVector<int64_t>(
      cast<DenseI64ArrayAttr>(op->getAttr("axes")).asArrayRef());
}

Strides dtc::kernel::keptStrides(Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  Strides dense = denseStrides(shape), kept;
  SmallVector<int64_t> axes = reducedAxes(op);
  bool keepsDims = shapeOf(op->getResult(0)).size() == shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    if (!llvm::is_contained(axes, int64_t(i)))
      kept.push_back(dense[i]);
    else if (keepsDims)
      kept.push_back(0);
  return kept;
}

IterationSpace dtc::kernel::reducedSpace(Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  Strides dense = denseStrides(shape), strides;
  SmallVector<int64_t> sizes;
  for (int64_t axis : reducedAxes(op)) {
    sizes.push_back(shape[axis]);
    strides.push_back(dense[axis]);
  }
  return collapse(sizes, {strides}, /*keepColumns=*/false);
}

/// The input or constant behind a source, and how it is read over `shape`.
static Source makeSource(Value value, ArrayRef<int64_t> shape) {
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return {value, value, broadcastStrides(shapeOf(value), shape)};
  Value memory = op->getOperand(0);
  if (isa<graph::BroadcastToOp, graph::FillOp>(op))
    return {value, memory, broadcastStrides(shapeOf(memory), shape)};
  if (!isa<graph::OneHotOp>(op)) // the same elements under another shape
    return {value, memory, broadcastStrides(shapeOf(value), shape)};
  // one_hot: a label for each row, the same for all columns.
  Strides strides = broadcastStrides(shapeOf(memory), shape.drop_back());
  strides.push_back(0);
  return {value, memory, strides, /*isOneHot=*/true};
}

BodyPlan dtc::kernel::planBody(const KernelForm &form) {
  BodyPlan plan{form, {}, {}};
  llvm::SetVector<Value> read;
  for (Operation *op : form.elementwise)
    read.insert(op->operand_begin(), op->operand_end());
  read.insert(form.outputs.begin(), form.outputs.end());
  bool keepColumns =
      form.root &&
      (isa<graph::BatchMatmulOp, graph::MatmulOp, graph::SoftmaxOp>(
           form.root) ||
       isConvolution(form.root) || isPool(form.root));
  SmallVector<Strides> strides;
  for (Value value : read) {
    Operation *op = value.getDefiningOp();
    if (op && (isElementwise(op) || op == form.root))
      continue;
    plan.sources.push_back(makeSource(value, form.shape));
    strides.push_back(plan.sources.back().strides);
    keepColumns |= plan.sources.back().isOneHot;
  }
  if (form.root && isReduction(form.root))
    strides.push_back(keptStrides(form.root));
  ArrayRef<int64_t> shape = form.shape;
  // Its last dimension, one filter a channel, is 1: lanes go over channels.
  if (isa_and_present<graph::DepthwiseConv2dBackpropFilterOp>(form.root)) {
    shape = shape.drop_back();
    for (Strides &list : strides)
      list.pop_back();
  }
  plan.space = collapse(shape, strides, keepColumns);
  return plan;
}
