// Moves, indices and reductions: their gradients, in ops of the dialect.
// `dy` is the gradient of the op's result, `dx` that of an operand. Where
// TensorFlow has a formula, this is its formula in its order of operations, so
// that roundings agree.
#include "dialects/graph/GradientMaker.h"

#include <numeric>

using namespace mlir;
using namespace dtc::graph;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(
      Maker(builder, *this).reshape(dys[0], getX().getType().getShape()));
  return success();
}

LogicalResult BroadcastToOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                           Values &dxs) {
  dxs.push_back(Maker(builder, *this).sumTo(dys[0], getX()));
  return success();
}

LogicalResult TransposeOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  SmallVector<int64_t> inverse(getPerm().size());
  for (auto [to, from] : llvm::enumerate(getPerm()))
    inverse[from] = to;
  dxs.push_back(Maker(builder, *this).make<TransposeOp>(dys[0], inverse));
  return success();
}

LogicalResult ExpandDimsOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                          Values &dxs) {
  dxs.push_back(Maker(builder, *this).reshape(dys[0], shapeOf(getX())));
  return success();
}

LogicalResult SqueezeOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(Maker(builder, *this).reshape(dys[0], shapeOf(getX())));
  return success();
}

LogicalResult SliceOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                     Values &dxs) {
  SmallVector<int64_t> after;
  for (auto [dim, begin, size] :
       llvm::zip_equal(shapeOf(getX()), getBegin(), getSize()))
    after.push_back(dim - begin - size);
  dxs.push_back(Maker(builder, *this)
                    .make<PadOp>(dys[0], getBegin(), after,
                                 builder.getF64FloatAttr(0),
                                 /*reflect=*/false));
  return success();
}

LogicalResult StridedSliceOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                            Values &dxs) {
  dxs.push_back(Maker(builder, *this)
                    .make<StridedSliceGradOp>(getX().getType(), dys[0],
                                              getBegin(), getEnd(),
                                              getStrides()));
  return success();
}

LogicalResult StridedSliceGradOp::buildGradient(OpBuilder &builder,
                                                ValueRange dys, Values &dxs) {
  dxs.push_back(
      Maker(builder, *this)
          .make<StridedSliceOp>(dys[0], getBegin(), getEnd(), getStrides()));
  return success();
}

LogicalResult PadOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(
      getReflect() ? maker.make<MirrorPadGradOp>(getX().getType(), dys[0],
                                                 getBefore(), getAfter())
                   : maker.make<SliceOp>(dys[0], getBefore(), shapeOf(getX())));
  return success();
}

LogicalResult MirrorPadGradOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                             Values &dxs) {
  dxs.push_back(Maker(builder, *this)
                    .make<PadOp>(dys[0], getBefore(), getAfter(),
                                 /*value=*/FloatAttr(), /*reflect=*/true));
  return success();
}

// Each dimension splits into its repetitions, which are summed.
LogicalResult TileOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  SmallVector<int64_t> shape, axes;
  for (auto [multiple, dim] :
       llvm::zip_equal(getMultiples(), shapeOf(getX()))) {
    axes.push_back(shape.size());
    shape.append({multiple, dim});
  }
  Value dx = dys[0];
  if (!axes.empty())
    dx = maker.make<ReduceSumOp>(maker.reshape(dx, shape), axes,
                                 /*keep_dims=*/false);
  dxs.push_back(dx);
  return success();
}

LogicalResult ConcatOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  SmallVector<int64_t> sizes;
  for (Value x : getXs())
    sizes.push_back(shapeOf(x)[getAxis()]);
  auto split = SplitOp::create(builder, withoutNames(getLoc()), dys[0],
                               getAxis(), sizes);
  llvm::append_range(dxs, split.getResults());
  return success();
}

LogicalResult StackOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                     Values &dxs) {
  auto unstack =
      UnstackOp::create(builder, withoutNames(getLoc()), dys[0], getAxis());
  llvm::append_range(dxs, unstack.getResults());
  return success();
}

// The gradients of all results; zeros where the loss does not depend on one.
static SmallVector<Value> allGradients(Maker &maker, ValueRange dys,
                                       ValueRange results) {
  SmallVector<Value> all;
  for (auto [dy, result] : llvm::zip_equal(dys, results))
    all.push_back(dy ? dy : maker.zeros(result));
  return all;
}

LogicalResult SplitOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                     Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.make<ConcatOp>(
      ValueRange(allGradients(maker, dys, getYs())), getAxis()));
  return success();
}

LogicalResult UnstackOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.make<StackOp>(
      ValueRange(allGradients(maker, dys, getYs())), getAxis()));
  return success();
}

LogicalResult FillOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  dxs.push_back(Maker(builder, *this).sumTo(dys[0], getX()));
  return success();
}

//===----------------------------------------------------------------------===//
// Indices and rows
//===----------------------------------------------------------------------===//

static int64_t productOf(ArrayRef<int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<>());
}

// Sparse: which rows, and their gradients. Another axis than the first is moved
// there and back.
LogicalResult GatherOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  Maker maker(builder, *this);
  ArrayRef<int64_t> shape = shapeOf(getX()), ids = shapeOf(getIndices());
  int64_t axis = getAxis(), count = productOf(ids);
  Value indices = maker.reshape(getIndices(), {count}), rows = dys[0];
  SmallVector<int64_t> perm, inverse(shape.size()), table;
  perm.push_back(axis);
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i)
    if (i != axis)
      perm.push_back(i);
  for (auto [to, from] : llvm::enumerate(perm)) {
    inverse[from] = to;
    table.push_back(shape[from]);
  }
  // The indices' dimensions become one, in the place of the axis.
  SmallVector<int64_t> flat(shape);
  flat[axis] = count;
  rows = maker.reshape(rows, flat);
  if (axis != 0)
    rows = maker.make<TransposeOp>(rows, perm);
  Value dx =
      maker.make<IndexedSlicesOp>(getX().getType().clone(table), indices, rows);
  dxs.push_back(axis == 0 ? dx : maker.make<TransposeOp>(dx, inverse));
  dxs.push_back(Value());
  return success();
}

LogicalResult IndexedSlicesOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                             Values &dxs) {
  dxs.push_back(Value());
  dxs.push_back(
      Maker(builder, *this).make<GatherOp>(dys[0], getIndices(), /*axis=*/0));
  return success();
}

LogicalResult ScatterAddOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                          Values &dxs) {
  dxs.push_back(dys[0]);
  dxs.push_back(Value());
  dxs.push_back(
      Maker(builder, *this).make<GatherOp>(dys[0], getIndices(), /*axis=*/0));
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

LogicalResult ReduceSumOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Maker maker(builder, *this);
  Value kept = maker.reshape(dys[0], keptShape(getX(), getAxes()));
  dxs.push_back(maker.make<BroadcastToOp>(getX().getType(), kept));
  return success();
}

LogicalResult ReduceMeanOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                          Values &dxs) {
  Maker maker(builder, *this);
  int64_t count = 1;
  for (int64_t axis : getAxes())
    count *= shapeOf(getX())[axis];
  Value share = maker.make<DivOp>(
      dys[0], maker.scalar(static_cast<double>(count), dys[0]));
  Value kept = maker.reshape(share, keptShape(getX(), getAxes()));
  dxs.push_back(maker.make<BroadcastToOp>(getX().getType(), kept));
  return success();
}

// Elements that share the extreme share its gradient, as in TensorFlow.
template <typename Op>
static Value extremeGradient(Op op, OpBuilder &builder, Value dy) {
  Maker maker(builder, op);
  SmallVector<int64_t> shape = keptShape(op.getX(), op.getAxes());
  Value isExtreme =
      maker.make<EqualOp>(maker.reshape(op.getResult(), shape), op.getX());
  Value extremes = maker.make<CastOp>(op.getX().getType(), isExtreme);
  Value number =
      maker.make<ReduceSumOp>(extremes, op.getAxes(), /*keep_dims=*/true);
  Value share = maker.make<DivOp>(maker.reshape(dy, shape), number);
  return maker.make<MulOp>(extremes, share);
}

LogicalResult ReduceMaxOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  dxs.push_back(extremeGradient(*this, builder, dys[0]));
  return success();
}

LogicalResult ReduceMinOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  dxs.push_back(extremeGradient(*this, builder, dys[0]));
  return success();
}

static Value transposed(Maker &maker, Value x, ArrayRef<int64_t> order) {
  return llvm::is_sorted(order) ? x : maker.make<TransposeOp>(x, order);
}

// Moves the columns of a matrix by `distance`, towards the end or towards the
// begin; ones come in.
static Value shiftColumns(Maker &maker, Value x, int64_t distance,
                          bool towardsBegin) {
  int64_t rows = shapeOf(x)[0], columns = shapeOf(x)[1];
  int64_t begin = towardsBegin ? distance : 0;
  Value kept = maker.make<SliceOp>(x, ArrayRef<int64_t>{0, begin},
                                   ArrayRef<int64_t>{rows, columns - distance});
  int64_t before = towardsBegin ? 0 : distance;
  auto one = FloatAttr::get(Float64Type::get(x.getContext()), 1);
  return maker.make<PadOp>(kept, ArrayRef<int64_t>{0, before},
                           ArrayRef<int64_t>{0, distance - before}, one,
                           /*reflect=*/false);
}

// In each row, the product of the elements before (behind) each one. Distances
// double, so that the number of ops is logarithmic.
static Value exclusiveProducts(Maker &maker, Value x, bool behind) {
  Value products = shiftColumns(maker, x, 1, behind);
  for (int64_t distance = 1; distance < shapeOf(x)[1]; distance *= 2)
    products = maker.make<MulOp>(
        products, shiftColumns(maker, products, distance, behind));
  return products;
}

LogicalResult ReduceProdOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                          Values &dxs) {
  Maker maker(builder, *this);
  RankedTensorType type = getX().getType();
  ArrayRef<int64_t> shape = type.getShape();
  // Kept axes first: the reduced elements become the rows of a matrix.
  SmallVector<int64_t> order, moved;
  int64_t length = 1;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (!llvm::is_contained(getAxes(), axis))
      order.push_back(axis);
  for (int64_t axis : getAxes()) {
    order.push_back(axis);
    length *= shape[axis];
  }
  if (type.getNumElements() == 0) {
    dxs.push_back(maker.zeros(getX()));
    return success();
  }
  for (int64_t axis : order)
    moved.push_back(shape[axis]);
  int64_t rows = type.getNumElements() / length;
  Value x = maker.reshape(transposed(maker, getX(), order), {rows, length});
  // The others' product, without a division: it holds where an element is 0.
  Value others = maker.make<MulOp>(exclusiveProducts(maker, x, false),
                                   exclusiveProducts(maker, x, true));
  SmallVector<int64_t> inverse(order.size());
  for (auto [place, axis] : llvm::enumerate(order))
    inverse[axis] = place;
  Value dx = maker.make<MulOp>(others, maker.reshape(dys[0], {rows, 1}));
  dxs.push_back(transposed(maker, maker.reshape(dx, moved), inverse));
  return success();
}

LogicalResult CumsumOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(
      maker.make<CumsumOp>(dys[0], getAxis(), getExclusive(), !getReverse()));
  return success();
}

LogicalResult TopKOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  // Where the values were, counted over all of x.
  RankedTensorType type = getX().getType();
  int64_t last = type.getShape().back(), k = getK();
  int64_t chosen = getIndices().getType().getNumElements(), rows = chosen / k;
  Type i64 = builder.getI64Type();
  Value places =
      maker.make<CastOp>(getIndices().getType().clone(i64), getIndices());
  Value starts =
      maker.make<RangeOp>(RankedTensorType::get({rows}, i64),
                          llvm::APFloat(0.0), llvm::APFloat(double(last)));
  places = maker.make<AddOp>(maker.reshape(places, {rows, k}),
                             maker.reshape(starts, {rows, 1}));
  // Rows of one element.
  auto flatType =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  Value zeros = maker.make<ConstantOp>(DenseElementsAttr::get(
      flatType, builder.getZeroAttr(type.getElementType())));
  Value flat =
      maker.make<ScatterAddOp>(flatType, zeros, maker.reshape(places, {chosen}),
                               maker.reshape(dys[0], {chosen}));
  dxs.push_back(maker.reshape(flat, type.getShape()));
  return success();
}

// What the forward dropped is dropped: the same numbers are drawn.
LogicalResult DropoutOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(Maker(builder, *this)
                    .make<DropoutOp>(dys[0], getStep(), getReplica(),
                                     getRateAttr(), getSeedAttr(),
                                     getStreamAttr()));
  dxs.resize(getNumOperands());
  return success();
}
