// Moves, indices and reductions: // their gradients, in ops of the dialect.
// `dy` is the gradient of the op's result, `dx` that of an operand. Where
// TensorFlow has a formula, this is its formula in its order of operations, so
// that roundings agree.
#include "dialects/graph/GradientMaker.h"

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

LogicalResult TransposeOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult ExpandDimsOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SqueezeOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SliceOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult StridedSliceOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult StridedSliceGradOp::buildGradient(OpBuilder &, ValueRange,
                                                Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult PadOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult MirrorPadGradOp::buildGradient(OpBuilder &, ValueRange,
                                             Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult TileOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult ConcatOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult StackOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SplitOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult UnstackOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult FillOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

//===----------------------------------------------------------------------===//
// Indices and rows
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult IndexedSlicesOp::buildGradient(OpBuilder &, ValueRange,
                                             Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult ScatterAddOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
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
  int64_t count = getX().getType().getNumElements() /
                  getResult().getType().getNumElements();
  Value share = maker.make<DivOp>(
      dys[0], maker.scalar(static_cast<double>(count), dys[0]));
  Value kept = maker.reshape(share, keptShape(getX(), getAxes()));
  dxs.push_back(maker.make<BroadcastToOp>(getX().getType(), kept));
  return success();
}

// Elements that share the maximum share its gradient, as in TensorFlow.
LogicalResult ReduceMaxOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Maker maker(builder, *this);
  SmallVector<int64_t> shape = keptShape(getX(), getAxes());
  Value isLargest =
      maker.make<EqualOp>(maker.reshape(getResult(), shape), getX());
  Value largest = maker.make<CastOp>(getX().getType(), isLargest);
  Value number =
      maker.make<ReduceSumOp>(largest, getAxes(), /*keep_dims=*/true);
  Value share = maker.make<DivOp>(maker.reshape(dys[0], shape), number);
  dxs.push_back(maker.make<MulOp>(largest, share));
  return success();
}
LogicalResult ReduceMinOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult ReduceProdOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult CumsumOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult TopKOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
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
