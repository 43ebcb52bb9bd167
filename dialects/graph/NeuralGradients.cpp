// Neural networks: // their gradients, in ops of the dialect. `dy` is the
// gradient of the op's result, `dx` that of an operand. Where TensorFlow has a
// formula, this is its formula in its order of operations, so that roundings
// agree.
#include "dialects/graph/GradientMaker.h"

using namespace mlir;
using namespace dtc::graph;

LogicalResult MatmulOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  Maker maker(builder, *this);
  Value a = getA(), b = getB(), dy = dys[0];
  bool ta = getTransposeA(), tb = getTransposeB();
  // A transposed operand's gradient is the transposed product.
  dxs.push_back(ta ? maker.make<MatmulOp>(b, dy, tb, true)
                   : maker.make<MatmulOp>(dy, b, false, !tb));
  dxs.push_back(tb ? maker.make<MatmulOp>(dy, a, true, ta)
                   : maker.make<MatmulOp>(a, dy, !ta, false));
  return success();
}

LogicalResult BiasAddOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(dys[0]);
  dxs.push_back(Maker(builder, *this).sumTo(dys[0], getBias()));
  return success();
}

LogicalResult SoftmaxOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  SmallVector<int64_t> last = {getX().getType().getRank() - 1};
  Value product = maker.make<MulOp>(dys[0], getY());
  Value sum = maker.make<ReduceSumOp>(product, last, /*keep_dims=*/true);
  Value centred = maker.make<SubOp>(dys[0], sum);
  dxs.push_back(maker.make<MulOp>(centred, getY()));
  return success();
}

LogicalResult SoftmaxCrossEntropyOp::buildGradient(OpBuilder &builder,
                                                   ValueRange dys,
                                                   Values &dxs) {
  Maker maker(builder, *this);
  RankedTensorType type = getLogits().getType();
  Value probabilities = maker.make<SoftmaxOp>(getLogits());
  Value truth = maker.make<OneHotOp>(getLabels(), type.getDimSize(1),
                                     type.getElementType());
  Value error = maker.make<SubOp>(probabilities, truth);
  Value rows = maker.reshape(dys[0], {type.getDimSize(0), 1});
  dxs.push_back(maker.make<MulOp>(error, rows));
  dxs.push_back(Value());
  return success();
}

LogicalResult BatchMatmulOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult Conv2dOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult DepthwiseConv2dOp::buildGradient(OpBuilder &, ValueRange,
                                               Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult Conv2dBackpropInputOp::buildGradient(OpBuilder &, ValueRange,
                                                   Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult Conv2dBackpropFilterOp::buildGradient(OpBuilder &, ValueRange,
                                                    Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult DepthwiseConv2dBackpropInputOp::buildGradient(OpBuilder &,
                                                            ValueRange,
                                                            Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult DepthwiseConv2dBackpropFilterOp::buildGradient(OpBuilder &,
                                                             ValueRange,
                                                             Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult MaxPoolOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult AvgPoolOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult MaxPoolGradOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult AvgPoolGradOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult BatchNormOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult BatchNormInferenceOp::buildGradient(OpBuilder &, ValueRange,
                                                  Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult LayerNormOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult LogSoftmaxOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult DenseSoftmaxCrossEntropyOp::buildGradient(OpBuilder &, ValueRange,
                                                        Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult SigmoidCrossEntropyOp::buildGradient(OpBuilder &, ValueRange,
                                                   Values &) {
  return emitError("TODO: gradient"); // TODO
}

LogicalResult L2LossOp::buildGradient(OpBuilder &, ValueRange, Values &) {
  return emitError("TODO: gradient"); // TODO
}
