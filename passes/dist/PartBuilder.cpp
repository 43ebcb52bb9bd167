#include "passes/dist/PartBuilder.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

const Split *PartBuilder::splitOf(StringRef variable) const {
  auto found = splits_.find(variables_.find(variable));
  return found == splits_.end() ? nullptr : &found->second;
}

std::string PartBuilder::partOf(StringRef variable, int64_t index) const {
  graph::VariableOp owner = variables_.ownerOf(variables_[variable]);
  return partName(variable, owner.getSymName(), index);
}

void PartBuilder::name(Operation *op, Operation *original, int64_t index) {
  for (auto [result, whole] :
       llvm::zip_equal(op->getResults(), original->getResults()))
    graph::setName(result, names_.take(graph::nameOf(whole) + ".part_" +
                                       std::to_string(index)));
}

/// A scalar of the elements of `like`.
Value PartBuilder::number(OpBuilder &builder, Value like, int64_t value) {
  Type element = cast<RankedTensorType>(like.getType()).getElementType();
  return graph::ConstantOp::create(
      builder, graph::withoutNames(like.getLoc()),
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             builder.getIntegerAttr(element, value)));
}

const PartValues &PartBuilder::readsOf(graph::ReadOp read) {
  PartValues &parts = reads_[read];
  if (!parts.empty())
    return parts;
  const Split &split = *splitOf(read.getVariable());
  OpBuilder builder(read);
  for (int64_t index = 0; index < split.count; ++index) {
    auto part = graph::ReadOp::create(
        builder, graph::withoutNames(read.getLoc()),
        split.partOf(cast<RankedTensorType>(read.getType()), index),
        partOf(read.getVariable(), index));
    name(part, read, index);
    parts.push_back(part);
  }
  return parts;
}

PartValues PartBuilder::cut(Value whole, const Split &split, int64_t axis) {
  auto type = cast<RankedTensorType>(whole.getType());
  SmallVector<int64_t> begin(type.getRank()), end(type.getShape()),
      strides(type.getRank(), 1);
  int64_t size = end[axis];
  OpBuilder builder(whole.getContext());
  builder.setInsertionPointAfterValue(whole);
  Location loc = graph::withoutNames(whole.getLoc());
  PartValues parts;
  for (int64_t index = 0; index < split.count; ++index) {
    if (split.interleaved) {
      begin[axis] = index;
      strides[axis] = split.count;
    } else {
      begin[axis] = split.startOf(size, index);
      end[axis] = begin[axis] + split.sizeOf(size, index);
    }
    Value part =
        graph::StridedSliceOp::create(builder, loc, whole, begin, end, strides);
    graph::setName(part, names_.take(graph::nameOf(whole) + ".part_" +
                                     std::to_string(index)));
    parts.push_back(part);
  }
  return parts;
}

Value PartBuilder::localIndices(Value indices, const Split &split, int64_t rows,
                                int64_t index) {
  OpBuilder builder(indices.getContext());
  builder.setInsertionPointAfterValue(indices);
  Location loc = graph::withoutNames(indices.getLoc());
  if (!split.interleaved)
    return index == 0
               ? indices
               : graph::SubOp::create(
                     builder, loc, indices,
                     number(builder, indices, split.startOf(rows, index)));
  Value count = number(builder, indices, split.count);
  Value part = graph::FloorModOp::create(builder, loc, indices, count);
  Value row = graph::FloorDivOp::create(builder, loc, indices, count);
  Value isHere = graph::EqualOp::create(builder, loc, part,
                                        number(builder, indices, index));
  return graph::WhereOp::create(builder, loc, isHere, row,
                                number(builder, indices, -1));
}

void PartBuilder::join(graph::ReadOp read) {
  const Split &split = *splitOf(read.getVariable());
  OpBuilder builder(read);
  Location loc = graph::withoutNames(read.getLoc());
  Value whole =
      graph::ConcatOp::create(builder, loc, readsOf(read), split.axis);
  if (split.interleaved) {
    int64_t size =
        cast<RankedTensorType>(read.getType()).getDimSize(split.axis);
    SmallVector<int64_t> order;
    for (int64_t i = 0; i < size; ++i)
      order.push_back(split.startOf(size, i % split.count) + i / split.count);
    Value positions = graph::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            RankedTensorType::get({size}, builder.getI64Type()),
            ArrayRef<int64_t>(order)));
    whole = graph::GatherOp::create(builder, loc, whole, positions, split.axis);
  }
  graph::setName(whole, graph::nameOf(read.getResult()));
  read.replaceAllUsesWith(whole);
  read.erase();
}

void PartBuilder::lookUp(graph::GatherOp gather, graph::ReadOp read) {
  const Split &split = *splitOf(read.getVariable());
  int64_t rows = cast<RankedTensorType>(read.getType()).getDimSize(0);
  Value indices = gather.getIndices();
  OpBuilder builder(gather);
  Location loc = graph::withoutNames(gather.getLoc());
  auto result = cast<RankedTensorType>(gather.getType());
  // What says whose a row is stands beside the row's elements.
  auto shape =
      llvm::to_vector(cast<RankedTensorType>(indices.getType()).getShape());
  shape.resize(result.getRank(), 1);
  Value owner = graph::ReshapeOp::create(
      builder, loc, cast<RankedTensorType>(indices.getType()).clone(shape),
      indices);
  if (split.interleaved)
    owner = graph::FloorModOp::create(builder, loc, owner,
                                      number(builder, indices, split.count));
  Value rowsSoFar;
  for (auto [index, part] : llvm::enumerate(readsOf(read))) {
    auto found = graph::GatherOp::create(
        builder, loc, part, localIndices(indices, split, rows, index), 0);
    found->setDiscardableAttrs(gather->getDiscardableAttrDictionary());
    name(found, gather, index);
    if (index == 0) {
      rowsSoFar = found;
      continue;
    }
    Value bound =
        number(builder, indices,
               split.interleaved ? index : split.startOf(rows, index));
    Value isHere =
        split.interleaved
            ? graph::EqualOp::create(builder, loc, owner, bound).getResult()
            : graph::GreaterEqualOp::create(builder, loc, owner, bound);
    rowsSoFar = graph::WhereOp::create(builder, loc, isHere, found, rowsSoFar);
  }
  graph::setName(rowsSoFar, graph::nameOf(gather.getResult()));
  gather.replaceAllUsesWith(rowsSoFar);
  gather.erase();
}

} // namespace dtc::dist
