#include "passes/dist/SplitUpdate.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

static bool isScatter(Operation *op) {
  return isa<graph::ScatterAddOp, graph::ScatterUpdateOp>(op);
}

static bool isElementwise(Operation *op) {
  // A bias may lie along another axis than broadcasting has it.
  return op->hasTrait<graph::Elementwise>() && !isa<graph::BiasAddOp>(op);
}

/// True for what has the variable's shape, or broadcasts to it and is cut with
/// it.
bool UpdateSplitter::isAlongside(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t axis = split_.axis - (whole_.getRank() - type.getRank());
  return axis >= 0 && type.getDimSize(axis) == whole_.getDimSize(split_.axis);
}

/// Whether the op's results are parts if its operands are.
bool UpdateSplitter::isAlike(Operation *op) {
  if (!region_.isUpdate(op) || llvm::any_of(op->getResultTypes(), [&](Type t) {
        return cast<RankedTensorType>(t).getShape() != whole_.getShape();
      }))
    return false;
  if (!isScatter(op))
    return isElementwise(op);
  // One set of rows for the variable and its slots.
  if (split_.axis != 0 || (indices_ && indices_ != op->getOperand(1)))
    return false;
  indices_ = op->getOperand(1);
  return true;
}

bool UpdateSplitter::isReadAlike(Value value) const {
  auto read = value.getDefiningOp<graph::ReadOp>();
  const Split *split = read ? parts_.splitOf(read.getVariable()) : nullptr;
  return split && *split == split_ &&
         cast<RankedTensorType>(value.getType()).getShape() ==
             whole_.getShape();
}

/// Whether the op takes the replicas' rows (graph.rows) for this variable.
bool UpdateSplitter::isMarked(Operation *op) {
  auto mark = op->getAttrOfType<FlatSymbolRefAttr>(graph::updateAttrName);
  return op->hasAttr(graph::rowsAttrName) && mark &&
         mark.getValue() == owner_.getSymName();
}

static SmallVector<Operation *>
inOrder(const llvm::SetVector<Operation *> &ops) {
  SmallVector<Operation *> order(ops.begin(), ops.end());
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return order;
}

void UpdateSplitter::split(ArrayRef<graph::AssignOp> assigns) {
  for (graph::AssignOp assign : assigns)
    follow(assign.getValue());
  // Rows first: they are made of nothing that is scattered.
  for (Operation *op : inOrder(rows_))
    clone(op, /*isWhole=*/false);
  for (Operation *op : inOrder(alike_))
    clone(op, /*isWhole=*/true);
  for (graph::AssignOp assign : assigns)
    assignParts(assign);
}

void UpdateSplitter::follow(Value value) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !isAlike(op) || !alike_.insert(op))
      continue;
    if (isScatter(op)) {
      pending.push_back(op->getOperand(0));
      followRows(op->getOperand(1));
      followRows(op->getOperand(2));
    } else {
      for (Value operand : op->getOperands())
        if (isAlongside(operand))
          pending.push_back(operand);
    }
  }
}

/// Finds what is done with rows of the variable, each for itself.
void UpdateSplitter::followRows(Value value) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !region_.isUpdate(op))
      continue;
    auto gather = dyn_cast<graph::GatherOp>(op);
    if (gather && gather.getAxis() == 0 && gather.getIndices() == indices_ &&
        isReadAlike(gather.getX()))
      rows_.insert(op);
    else if (isMarked(op))
      rows_.insert(op);
    else if (isElementwise(op) && rows_.insert(op))
      llvm::append_range(pending, op->getOperands());
  }
}

/// The operand in each part.
PartValues UpdateSplitter::operandParts(OpOperand &operand, bool isWhole) {
  Operation *op = operand.getOwner();
  Value value = operand.get();
  bool takesRows = isScatter(op) || isa<graph::GatherOp>(op);
  if (takesRows && operand.getOperandNumber() == 1) {
    if (local_.empty()) {
      PartValues indices = rowParts_.lookup(value);
      for (int64_t index = 0; index < split_.count; ++index)
        local_.push_back(
            parts_.localIndices(indices.empty() ? value : indices[index],
                                split_, whole_.getDimSize(0), index));
    }
    return local_;
  }
  bool isPart = takesRows ? operand.getOperandNumber() == 0
                          : isWhole && isAlongside(value);
  if (isPart)
    return partsOf(value);
  auto found = rowParts_.find(value);
  return found == rowParts_.end() ? PartValues(split_.count, value)
                                  : found->second;
}

const PartValues &UpdateSplitter::partsOf(Value value) {
  if (isReadAlike(value))
    return parts_.readsOf(value.getDefiningOp<graph::ReadOp>());
  PartValues &parts = wholeParts_[value];
  if (parts.empty())
    parts = parts_.cut(value, split_,
                       split_.axis -
                           (whole_.getRank() -
                            cast<RankedTensorType>(value.getType()).getRank()));
  return parts;
}

/// Does the op for each part, where it differs from part to part.
void UpdateSplitter::clone(Operation *op, bool isWhole) {
  SmallVector<PartValues> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(operandParts(operand, isWhole));
  bool differs = isWhole || isMarked(op) ||
                 llvm::any_of(operands, [](const PartValues &values) {
                   return values.front() != values.back();
                 });
  if (!differs)
    return;
  OpBuilder builder(op);
  for (int64_t index = 0; index < split_.count; ++index) {
    Operation *part = builder.clone(*op);
    for (auto [number, values] : llvm::enumerate(operands))
      part->setOperand(number, values[index]);
    if (part->hasAttr(graph::updateAttrName))
      part->setAttr(
          graph::updateAttrName,
          FlatSymbolRefAttr::get(op->getContext(),
                                 parts_.partOf(owner_.getSymName(), index)));
    parts_.name(part, op, index);
    for (auto [result, original] :
         llvm::zip_equal(part->getResults(), op->getResults())) {
      if (isWhole)
        result.setType(
            split_.partOf(cast<RankedTensorType>(original.getType()), index));
      (isWhole ? wholeParts_ : rowParts_)[original].push_back(result);
    }
  }
}

void UpdateSplitter::assignParts(graph::AssignOp assign) {
  OpBuilder builder(assign);
  for (auto [index, value] : llvm::enumerate(partsOf(assign.getValue()))) {
    auto part = graph::AssignOp::create(
        builder, assign.getLoc(), parts_.partOf(assign.getVariable(), index),
        value);
    part->setDiscardableAttrs(assign->getDiscardableAttrDictionary());
  }
  assign.erase();
}

} // namespace dtc::dist
