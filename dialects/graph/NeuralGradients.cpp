// Neural networks: their gradients, in ops of the dialect. `dy` is the
// gradient of the op's result, `dx` that of an operand. Where TensorFlow has a
// formula, this is its formula in its order of operations, so that roundings
// agree.
#include "dialects/graph/Formula.h"
#include "dialects/graph/Windows.h"
#include <limits>

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
                                     type.getElementType(), /*strict=*/true);
  Value error = maker.make<SubOp>(probabilities, truth);
  Value rows = maker.reshape(dys[0], {type.getDimSize(0), 1});
  dxs.push_back(maker.make<MulOp>(error, rows));
  dxs.push_back(Value());
  return success();
}

LogicalResult BatchMatmulOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                           Values &dxs) {
  Maker maker(builder, *this);
  Value a = getA(), b = getB(), dy = dys[0];
  bool ta = getTransposeA(), tb = getTransposeB();
  Value da = ta ? maker.make<BatchMatmulOp>(b, dy, tb, true)
                : maker.make<BatchMatmulOp>(dy, b, false, !tb);
  Value db = tb ? maker.make<BatchMatmulOp>(dy, a, true, ta)
                : maker.make<BatchMatmulOp>(a, dy, !ta, false);
  // What was broadcast is summed.
  dxs.push_back(maker.sumTo(da, a));
  dxs.push_back(maker.sumTo(db, b));
  return success();
}

//===----------------------------------------------------------------------===//
// Convolutions: y, dx and dfilter are each linear in two of x, filter and dy,
// so the gradients of all three are the other two
//===----------------------------------------------------------------------===//

// The op of `other`'s window that gives a value of `like`'s type.
template <typename Op, typename Other>
static Value backprop(Maker &maker, Other other, Value like, Value lhs,
                      Value rhs) {
  return maker.make<Op>(like.getType(), lhs, rhs, other.getStridesAttr(),
                        other.getPaddingAttr(), other.getDilationsAttr());
}

template <typename Input, typename Filter, typename Op>
static void convolutionGradient(Maker maker, Op op, Value dy, Values &dxs) {
  Value x = op.getX(), filter = op.getFilter();
  dxs.push_back(backprop<Input>(maker, op, x, filter, dy));
  dxs.push_back(backprop<Filter>(maker, op, filter, x, dy));
}

// Of dx = backprop_input(filter, dy); ddx is the gradient of dx.
template <typename Forward, typename Filter, typename Op>
static void inputGradient(Maker maker, Op op, Value ddx, Values &dxs) {
  Value filter = op.getLhs(), dy = op.getRhs();
  dxs.push_back(backprop<Filter>(maker, op, filter, ddx, dy));
  dxs.push_back(backprop<Forward>(maker, op, dy, ddx, filter));
}

// Of dfilter = backprop_filter(x, dy).
template <typename Forward, typename Input, typename Op>
static void filterGradient(Maker maker, Op op, Value ddfilter, Values &dxs) {
  Value x = op.getLhs(), dy = op.getRhs();
  dxs.push_back(backprop<Input>(maker, op, x, ddfilter, dy));
  dxs.push_back(backprop<Forward>(maker, op, dy, x, ddfilter));
}

LogicalResult Conv2dOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  convolutionGradient<Conv2dBackpropInputOp, Conv2dBackpropFilterOp>(
      Maker(builder, *this), *this, dys[0], dxs);
  return success();
}

LogicalResult DepthwiseConv2dOp::buildGradient(OpBuilder &builder,
                                               ValueRange dys, Values &dxs) {
  convolutionGradient<DepthwiseConv2dBackpropInputOp,
                      DepthwiseConv2dBackpropFilterOp>(Maker(builder, *this),
                                                       *this, dys[0], dxs);
  return success();
}

LogicalResult Conv2dBackpropInputOp::buildGradient(OpBuilder &builder,
                                                   ValueRange dys,
                                                   Values &dxs) {
  inputGradient<Conv2dOp, Conv2dBackpropFilterOp>(Maker(builder, *this), *this,
                                                  dys[0], dxs);
  return success();
}

LogicalResult Conv2dBackpropFilterOp::buildGradient(OpBuilder &builder,
                                                    ValueRange dys,
                                                    Values &dxs) {
  filterGradient<Conv2dOp, Conv2dBackpropInputOp>(Maker(builder, *this), *this,
                                                  dys[0], dxs);
  return success();
}

LogicalResult DepthwiseConv2dBackpropInputOp::buildGradient(OpBuilder &builder,
                                                            ValueRange dys,
                                                            Values &dxs) {
  inputGradient<DepthwiseConv2dOp, DepthwiseConv2dBackpropFilterOp>(
      Maker(builder, *this), *this, dys[0], dxs);
  return success();
}

LogicalResult DepthwiseConv2dBackpropFilterOp::buildGradient(OpBuilder &builder,
                                                             ValueRange dys,
                                                             Values &dxs) {
  filterGradient<DepthwiseConv2dOp, DepthwiseConv2dBackpropInputOp>(
      Maker(builder, *this), *this, dys[0], dxs);
  return success();
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

LogicalResult MaxPoolOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(Maker(builder, *this)
                    .make<MaxPoolGradOp>(getX().getType(), getX(), getY(),
                                         dys[0], getWindowAttr(),
                                         getStridesAttr(), getPaddingAttr()));
  return success();
}

LogicalResult AvgPoolOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  dxs.push_back(Maker(builder, *this)
                    .make<AvgPoolGradOp>(getX().getType(), dys[0],
                                         getWindowAttr(), getStridesAttr(),
                                         getPaddingAttr()));
  return success();
}

/// `x` with a border of `value`, as the windows see it.
static Value withBorder(Maker &maker, Value x, const Windows &windows,
                        double value) {
  auto [h, w] = windows;
  int64_t before[] = {0, h.before, w.before, 0};
  int64_t after[] = {0, h.after, w.after, 0};
  auto f64 = Float64Type::get(x.getContext());
  return maker.make<PadOp>(x, before, after, FloatAttr::get(f64, value),
                           /*reflect=*/false);
}

/// Element (p, q) of each window of `x`, which has its border.
static Value windowElement(Maker &maker, Value x, const Windows &windows,
                           int64_t p, int64_t q) {
  auto [h, w] = windows;
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t begin[] = {0, p, q, 0};
  int64_t end[] = {shape[0], p + (h.output - 1) * h.stride + 1,
                   q + (w.output - 1) * w.stride + 1, shape[3]};
  int64_t strides[] = {1, h.stride, w.stride, 1};
  return maker.make<StridedSliceOp>(x, begin, end, strides);
}

// Linear in dy: what comes back for it is the incoming gradient at the first
// largest element of each window. Where that is does not vary with x.
LogicalResult MaxPoolGradOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                           Values &dxs) {
  Maker maker(builder, *this);
  Value taken = maker.zeros(getDy());
  dxs.append({Value(), Value(), taken});
  if (getDy().getType().getNumElements() == 0)
    return success();
  auto windows = std::get<Windows>(
      resolveWindows(getX().getType().getShape().slice(1, 2), getWindow(),
                     getStrides(), {1, 1}, getPadding()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value x = withBorder(maker, getX(), windows, -infinity);
  Value incoming = withBorder(maker, dys[0], windows, 0);
  // Backwards, so that the first of equals has the last word.
  for (int64_t p = windows[0].window - 1; p >= 0; --p)
    for (int64_t q = windows[1].window - 1; q >= 0; --q) {
      Value isLargest =
          maker.make<EqualOp>(windowElement(maker, x, windows, p, q), getY());
      taken = maker.make<SelectOp>(
          isLargest, windowElement(maker, incoming, windows, p, q), taken);
    }
  dxs.back() = taken;
  return success();
}

LogicalResult AvgPoolGradOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                           Values &dxs) {
  dxs.push_back(Maker(builder, *this)
                    .make<AvgPoolOp>(getDy().getType(), dys[0], getWindowAttr(),
                                     getStridesAttr(), getPaddingAttr()));
  return success();
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

namespace {
// The gradient that reaches the statistics of a batch_norm beside y's way.
struct StatisticsGradient {
  Value mean, variance; // null: none
};
} // namespace

static Value addIfAny(Formula &f, Value a, Value b) {
  return a && b ? f.add(a, b) : a ? a : b;
}

static StatisticsGradient statisticsGradient(Formula &f, ValueRange dys,
                                             double count) {
  StatisticsGradient result;
  if (dys[1])
    result.mean = f.wide(dys[1]);
  if (dys[2])
    result.variance = f.mul(f.wide(dys[2]), count / std::max(count - 1, 1.0));
  if (dys[3])
    result.variance = addIfAny(f, result.variance, f.wide(dys[3]));
  return result;
}

// TensorFlow's FusedBatchNormGrad, and what comes by way of the statistics.
LogicalResult BatchNormOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Formula f(builder, *this);
  double count = elementsPerColumn(getX());
  Value variance = f.wide(getVariance());
  Value centred = f.sub(f.wide(getX()), f.wide(getMean()));
  Value dx, dscale, doffset;
  if (dys[0]) {
    Value dy = f.wide(dys[0]), scale = f.wide(getScale());
    Value deviation =
        f.inverseDeviation(variance, getEpsilon().convertToDouble());
    Value normal = f.mul(centred, deviation);
    doffset = f.sumTo(dy, scale);
    dscale = f.sumTo(f.mul(dy, normal), scale);
    Value rest = f.sub(f.sub(dy, f.div(doffset, count)),
                       f.mul(normal, f.div(dscale, count)));
    dx = f.mul(f.mul(scale, deviation), rest);
  }
  StatisticsGradient other = statisticsGradient(f, dys, count);
  if (other.variance)
    dx = addIfAny(f, dx, f.mul(centred, f.mul(other.variance, 2 / count)));
  if (other.mean) {
    Value share = f.div(other.mean, count);
    dx =
        dx ? f.add(dx, share)
           : f.make<BroadcastToOp>(
                 cast<RankedTensorType>(share.getType()).clone(shapeOf(getX())),
                 share);
  }
  for (Value gradient : {dx, dscale, doffset})
    dxs.push_back(gradient ? f.like(getX(), gradient) : Value());
  return success();
}

LogicalResult BatchNormInferenceOp::buildGradient(OpBuilder &builder,
                                                  ValueRange dys, Values &dxs) {
  Formula f(builder, *this);
  Value dy = f.wide(dys[0]), scale = f.wide(getScale()),
        variance = f.wide(getVariance());
  double epsilon = getEpsilon().convertToDouble();
  Value deviation = f.inverseDeviation(variance, epsilon);
  Value normal = f.mul(f.sub(f.wide(getX()), f.wide(getMean())), deviation);
  Value factor = f.mul(scale, deviation);
  Value doffset = f.sumTo(dy, scale);
  Value dscale = f.sumTo(f.mul(dy, normal), scale);
  Value dmean = f.neg(f.mul(doffset, factor));
  Value dvariance =
      f.div(f.mul(f.mul(dscale, scale), -0.5), f.add(variance, epsilon));
  for (Value gradient : {f.mul(dy, factor), dscale, doffset, dmean, dvariance})
    dxs.push_back(f.like(getX(), gradient));
  return success();
}

LogicalResult LayerNormOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Formula f(builder, *this);
  Value x = f.wide(getX()), dy = f.wide(dys[0]), scale = f.wide(getScale());
  Value centred = f.sub(x, f.meanOfRow(x));
  Value variance = f.meanOfRow(f.make<SquareOp>(centred));
  Value deviation =
      f.inverseDeviation(variance, getEpsilon().convertToDouble());
  Value normal = f.mul(centred, deviation);
  Value dnormal = f.mul(dy, scale);
  Value rest = f.sub(f.sub(dnormal, f.meanOfRow(dnormal)),
                     f.mul(normal, f.meanOfRow(f.mul(dnormal, normal))));
  Value dscale = f.sumTo(f.mul(dy, normal), scale);
  for (Value gradient : {f.mul(deviation, rest), dscale, f.sumTo(dy, scale)})
    dxs.push_back(f.like(getX(), gradient));
  return success();
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

LogicalResult LogSoftmaxOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                          Values &dxs) {
  Formula f(builder, *this);
  Value dy = f.wide(dys[0]);
  Value softmax = f.make<ExpOp>(f.wide(getY()));
  Value dx = f.sub(dy, f.mul(f.sumOfRow(dy), softmax));
  dxs.push_back(f.like(getX(), dx));
  return success();
}

LogicalResult DenseSoftmaxCrossEntropyOp::buildGradient(OpBuilder &builder,
                                                        ValueRange dys,
                                                        Values &dxs) {
  Formula f(builder, *this);
  SmallVector<int64_t> kept(shapeOf(getLoss()));
  kept.push_back(1);
  Value dy = f.reshape(dys[0], kept);
  Value error = f.sub(f.make<SoftmaxOp>(getLogits()), getLabels());
  dxs.push_back(f.mul(error, dy));
  dxs.push_back(f.mul(f.neg(f.make<LogSoftmaxOp>(getLogits())), dy));
  return success();
}

LogicalResult SigmoidCrossEntropyOp::buildGradient(OpBuilder &builder,
                                                   ValueRange dys,
                                                   Values &dxs) {
  Formula f(builder, *this);
  Value x = getLogits(), labels = getLabels(), dy = dys[0];
  Value error = f.sub(f.make<SigmoidOp>(x), labels);
  dxs.push_back(f.sumTo(f.mul(error, dy), x));
  dxs.push_back(f.sumTo(f.neg(f.mul(x, dy)), labels));
  return success();
}

LogicalResult L2LossOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<MulOp>(getX(), dys[0]));
  return success();
}
