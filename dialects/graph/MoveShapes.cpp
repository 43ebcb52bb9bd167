// The shape rules of ops that move elements, and of ops on indices and rows.
#include "dialects/graph/ShapeRule.h"
#include "dialects/graph/Slices.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

using Tensors = ArrayRef<RankedTensorType>;

static LogicalResult inferTranspose(const Rule &rule, Tensors types,
                                    TransposeOp::Adaptor adaptor,
                                    Types &results) {
  RankedTensorType x = types[0];
  ArrayRef<int64_t> perm = adaptor.getPerm();
  if (failed(rule.perDimension("perm", perm.size(), x.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  SmallVector<bool> seen(x.getRank());
  for (int64_t axis : perm) {
    if (failed(rule.axis(axis, x)))
      return failure();
    if (std::exchange(seen[axis], true))
      return rule.fail("perm names axis " + Twine(axis) + " twice",
                       Code::BadAxis);
    shape.push_back(x.getDimSize(axis));
  }
  return rule.result(shape, x.getElementType(), results);
}
DTC_SHAPE_RULE(TransposeOp, inferTranspose)

static LogicalResult inferExpandDims(const Rule &rule, Tensors types,
                                     ExpandDimsOp::Adaptor adaptor,
                                     Types &results) {
  int64_t axis = adaptor.getAxis(), rank = types[0].getRank();
  if (axis < 0 || axis > rank)
    return rule.fail("axis must be from 0 to " + Twine(rank) + ", got " +
                         Twine(axis),
                     Code::BadAxis);
  SmallVector<int64_t> shape(types[0].getShape());
  shape.insert(shape.begin() + axis, 1);
  return rule.result(shape, types[0].getElementType(), results);
}
DTC_SHAPE_RULE(ExpandDimsOp, inferExpandDims)

static LogicalResult inferSqueeze(const Rule &rule, Tensors types,
                                  SqueezeOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  ArrayRef<int64_t> axes = adaptor.getAxes();
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (failed(rule.axis(axis, x)))
      return failure();
    if (llvm::is_contained(axes.take_front(index), axis))
      return rule.fail("axes names axis " + Twine(axis) + " twice");
    if (x.getDimSize(axis) != 1)
      return rule.fail("axis " + Twine(axis) + " of " +
                       formatShape(x.getShape()) + " has size " +
                       Twine(x.getDimSize(axis)) + ", not 1");
  }
  SmallVector<int64_t> shape;
  for (auto [axis, dim] : llvm::enumerate(x.getShape()))
    if (!llvm::is_contained(axes, axis))
      shape.push_back(dim);
  return rule.result(shape, x.getElementType(), results);
}
DTC_SHAPE_RULE(SqueezeOp, inferSqueeze)

static LogicalResult inferSlice(const Rule &rule, Tensors types,
                                SliceOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  ArrayRef<int64_t> begin = adaptor.getBegin(), size = adaptor.getSize();
  if (failed(rule.perDimension("begin", begin.size(), x.getRank())) ||
      failed(rule.perDimension("size", size.size(), x.getRank())))
    return failure();
  for (auto [axis, dim] : llvm::enumerate(x.getShape()))
    if (begin[axis] < 0 || size[axis] < 0 || begin[axis] > dim ||
        size[axis] > dim - begin[axis])
      return rule.fail("elements " + Twine(begin[axis]) + " and " +
                       Twine(size[axis]) +
                       " from there on do not lie in axis " + Twine(axis) +
                       " of " + formatShape(x.getShape()));
  return rule.result(size, x.getElementType(), results);
}
DTC_SHAPE_RULE(SliceOp, inferSlice)

static LogicalResult inferStridedSlice(const Rule &rule, Tensors types,
                                       StridedSliceOp::Adaptor adaptor,
                                       Types &results) {
  RankedTensorType x = types[0];
  ArrayRef<int64_t> begin = adaptor.getBegin(), end = adaptor.getEnd(),
                    strides = adaptor.getStrides();
  if (failed(rule.perDimension("begin", begin.size(), x.getRank())) ||
      failed(rule.perDimension("end", end.size(), x.getRank())) ||
      failed(rule.perDimension("strides", strides.size(), x.getRank())))
    return failure();
  if (llvm::is_contained(strides, 0))
    return rule.fail("a stride must not be 0", Code::BadAttribute);
  SmallVector<int64_t> shape;
  for (const SliceRange &range :
       resolveSlice(x.getShape(), begin, end, strides))
    shape.push_back(range.size);
  return rule.result(shape, x.getElementType(), results);
}
DTC_SHAPE_RULE(StridedSliceOp, inferStridedSlice)

static LogicalResult inferPad(const Rule &rule, Tensors types,
                              PadOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  ArrayRef<int64_t> before = adaptor.getBefore(), after = adaptor.getAfter();
  if (failed(rule.perDimension("before", before.size(), x.getRank())) ||
      failed(rule.perDimension("after", after.size(), x.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [axis, dim] : llvm::enumerate(x.getShape())) {
    for (int64_t count : {before[axis], after[axis]}) {
      if (count < 0 || count > maxElements)
        return rule.fail("a padding is from 0 to 2^40 elements, got " +
                             Twine(count) + "; graph.slice cuts",
                         Code::BadAttribute);
      if (adaptor.getReflect() && count > std::max<int64_t>(dim - 1, 0))
        return rule.fail("reflect adds at most " +
                         Twine(std::max<int64_t>(dim - 1, 0)) +
                         " elements to axis " + Twine(axis) + " of " +
                         formatShape(x.getShape()) + ", got " + Twine(count) +
                         "; give fewer, or a value in place of reflect");
    }
    shape.push_back(before[axis] + dim + after[axis]);
  }
  return rule.result(shape, x.getElementType(), results);
}
DTC_SHAPE_RULE(PadOp, inferPad)

static LogicalResult inferTile(const Rule &rule, Tensors types,
                               TileOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  ArrayRef<int64_t> multiples = adaptor.getMultiples();
  if (failed(rule.perDimension("multiples", multiples.size(), x.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [multiple, dim] : llvm::zip_equal(multiples, x.getShape())) {
    if (multiple < 0 || multiple > maxElements)
      return rule.fail("a multiple is from 0 to 2^40, got " + Twine(multiple),
                       Code::BadAttribute);
    // What overflows is too large in any case.
    int64_t size = 0;
    if (llvm::MulOverflow(multiple, dim, size))
      size = std::numeric_limits<int64_t>::max();
    shape.push_back(size);
  }
  return rule.result(shape, x.getElementType(), results);
}
DTC_SHAPE_RULE(TileOp, inferTile)

//===----------------------------------------------------------------------===//
// Joining and cutting
//===----------------------------------------------------------------------===//

static LogicalResult inferConcat(const Rule &rule, Tensors types,
                                 ConcatOp::Adaptor adaptor, Types &results) {
  if (types.empty())
    return rule.fail("needs at least one operand");
  int64_t axis = adaptor.getAxis();
  if (failed(rule.sameElements(types)) || failed(rule.axis(axis, types[0])))
    return failure();
  SmallVector<int64_t> shape(types[0].getShape());
  shape[axis] = 0;
  for (RankedTensorType type : types) {
    SmallVector<int64_t> other(type.getShape());
    if (type.getRank() == types[0].getRank()) {
      shape[axis] += other[axis];
      other[axis] = types[0].getDimSize(axis);
    }
    if (ArrayRef(other) != types[0].getShape())
      return rule.fail("operands may differ along axis " + Twine(axis) +
                       " only, got " + both(types[0], type));
  }
  return rule.result(shape, types[0].getElementType(), results);
}
DTC_SHAPE_RULE(ConcatOp, inferConcat)

static LogicalResult inferStack(const Rule &rule, Tensors types,
                                StackOp::Adaptor adaptor, Types &results) {
  if (types.empty())
    return rule.fail("needs at least one operand");
  if (failed(rule.sameElements(types)))
    return failure();
  for (RankedTensorType type : types)
    if (type.getShape() != types[0].getShape())
      return rule.fail("operands must have one shape, got " +
                       both(types[0], type));
  int64_t axis = adaptor.getAxis(), rank = types[0].getRank();
  if (axis < 0 || axis > rank)
    return rule.fail("axis must be from 0 to " + Twine(rank) + ", got " +
                         Twine(axis),
                     Code::BadAxis);
  SmallVector<int64_t> shape(types[0].getShape());
  shape.insert(shape.begin() + axis, types.size());
  return rule.result(shape, types[0].getElementType(), results);
}
DTC_SHAPE_RULE(StackOp, inferStack)

// Each is a result of the op; more would only be a mistake.
static constexpr int64_t mostPieces = 4096;

static LogicalResult inferSplit(const Rule &rule, Tensors types,
                                SplitOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  int64_t axis = adaptor.getAxis();
  if (failed(rule.axis(axis, x)))
    return failure();
  ArrayRef<int64_t> sizes = adaptor.getSizes();
  if (sizes.empty())
    return rule.fail("needs the size of at least one piece");
  if (static_cast<int64_t>(sizes.size()) > mostPieces)
    return rule.fail("at most " + Twine(mostPieces) + " pieces, got " +
                         Twine(sizes.size()),
                     Code::TooLarge);
  int64_t sum = 0, dim = x.getDimSize(axis);
  for (int64_t size : sizes) {
    if (size < 0 || size > dim)
      return rule.fail("a piece has from 0 to " + Twine(dim) +
                       " elements of axis " + Twine(axis) + ", got " +
                       Twine(size));
    sum += size;
  }
  if (sum != dim)
    return rule.fail("sizes add up to " + Twine(sum) + ", but axis " +
                     Twine(axis) + " of " + formatShape(x.getShape()) +
                     " has " + Twine(dim));
  SmallVector<int64_t> shape(x.getShape());
  for (int64_t size : sizes) {
    shape[axis] = size;
    if (failed(rule.result(shape, x.getElementType(), results)))
      return failure();
  }
  return success();
}
DTC_SHAPE_RULE(SplitOp, inferSplit)

static LogicalResult inferUnstack(const Rule &rule, Tensors types,
                                  UnstackOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0];
  int64_t axis = adaptor.getAxis();
  if (failed(rule.axis(axis, x)))
    return failure();
  if (x.getDimSize(axis) > mostPieces)
    return rule.fail("axis " + Twine(axis) + " of " +
                         formatShape(x.getShape()) + " would make " +
                         Twine(x.getDimSize(axis)) + " results; at most " +
                         Twine(mostPieces),
                     Code::TooLarge);
  SmallVector<int64_t> shape(x.getShape());
  shape.erase(shape.begin() + axis);
  results.assign(x.getDimSize(axis),
                 RankedTensorType::get(shape, x.getElementType()));
  return success();
}
DTC_SHAPE_RULE(UnstackOp, inferUnstack)

//===----------------------------------------------------------------------===//
// Indices and rows
//===----------------------------------------------------------------------===//

static LogicalResult inferShape(const Rule &rule, Tensors types,
                                ShapeOp::Adaptor, Types &results) {
  return rule.result(types[0].getRank(),
                     IntegerType::get(types[0].getContext(), 64), results);
}
DTC_SHAPE_RULE(ShapeOp, inferShape)

static LogicalResult inferOneHot(const Rule &rule, Tensors types,
                                 OneHotOp::Adaptor adaptor, Types &results) {
  int64_t depth = adaptor.getDepth();
  if (depth < 0)
    return rule.fail("depth must not be negative, got " + Twine(depth),
                     Code::BadAttribute);
  Type element = adaptor.getElementType();
  if (!isElementType(element))
    return rule.fail("there are no tensors of " + text(element),
                     Code::UnknownType);
  SmallVector<int64_t> shape(types[0].getShape());
  shape.push_back(depth);
  return rule.result(shape, element, results);
}
DTC_SHAPE_RULE(OneHotOp, inferOneHot)

static LogicalResult inferGather(const Rule &rule, Tensors types,
                                 GatherOp::Adaptor adaptor, Types &results) {
  RankedTensorType x = types[0], indices = types[1];
  int64_t axis = adaptor.getAxis();
  if (failed(rule.axis(axis, x)))
    return failure();
  SmallVector<int64_t> shape(x.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, x.getShape().drop_front(axis + 1));
  return rule.result(shape, x.getElementType(), results);
}
DTC_SHAPE_RULE(GatherOp, inferGather)

static LogicalResult inferUniqueRows(const Rule &rule, Tensors types,
                                     UniqueRowsOp::Adaptor, Types &results) {
  RankedTensorType indices = types[0], rows = types[1];
  if (indices.getRank() != 1 || rows.getRank() < 1 ||
      rows.getDimSize(0) != indices.getDimSize(0))
    return rule.fail("indices are a vector with one index for each row, got " +
                     both(indices, rows));
  results.assign({indices, rows});
  return success();
}
DTC_SHAPE_RULE(UniqueRowsOp, inferUniqueRows)
