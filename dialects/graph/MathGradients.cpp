// Element-wise ops: their gradients, in ops of the dialect. `dy` is the
// gradient of the op's result, `dx` that of an operand. Where TensorFlow has a
// formula, this is its formula in its order of operations, so that roundings
// agree.
#include "dialects/graph/GradientMaker.h"

using namespace mlir;
using namespace dtc::graph;

// `dy` where the condition holds, else 0.
static Value keepWhere(Maker &maker, Value condition, Value dy) {
  return maker.make<WhereOp>(condition, dy, maker.scalar(0, dy));
}

// `dy` where the condition does not hold, else 0.
static Value keepUnless(Maker &maker, Value condition, Value dy) {
  return maker.make<WhereOp>(condition, maker.scalar(0, dy), dy);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

LogicalResult NegOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<NegOp>(dys[0]));
  return success();
}

LogicalResult ExpOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<MulOp>(dys[0], getY()));
  return success();
}

LogicalResult LogOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<DivOp>(dys[0], getX()));
  return success();
}

LogicalResult SqrtOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  Value half = maker.make<MulOp>(dys[0], maker.scalar(0.5, dys[0]));
  dxs.push_back(maker.make<DivOp>(half, getY()));
  return success();
}

LogicalResult SquareOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  Maker maker(builder, *this);
  Value twice = maker.make<MulOp>(getX(), maker.scalar(2, getX()));
  dxs.push_back(maker.make<MulOp>(dys[0], twice));
  return success();
}

LogicalResult ReluOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<ReluGradOp>(dys[0], getX()));
  return success();
}

LogicalResult ReluGradOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                        Values &dxs) {
  dxs.push_back(Maker(builder, *this).make<ReluGradOp>(dys[0], getX()));
  dxs.push_back(Value());
  return success();
}

LogicalResult CastOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  bool isSmooth =
      isFloatTensor(getX().getType()) && isFloatTensor(getY().getType());
  dxs.push_back(
      isSmooth ? Maker(builder, *this).make<CastOp>(getX().getType(), dys[0])
               : Value());
  return success();
}

LogicalResult AbsOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  Value slope = maker.make<SignOp>(getX());
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult RsqrtOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                     Values &dxs) {
  Maker maker(builder, *this);
  Value cube = maker.make<MulOp>(maker.make<SquareOp>(getY()), getY());
  Value slope = maker.make<MulOp>(maker.scalar(-0.5, cube), cube);
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult SinOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  Value slope = maker.make<CosOp>(getX());
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult CosOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  Value slope = maker.make<NegOp>(maker.make<SinOp>(getX()));
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult TanhOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  Value square = maker.make<SquareOp>(getY());
  Value slope = maker.make<SubOp>(maker.scalar(1, square), square);
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult SigmoidOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  Value rest = maker.make<SubOp>(maker.scalar(1, getY()), getY());
  Value slope = maker.make<MulOp>(getY(), rest);
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult ErfOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  Value bell =
      maker.make<ExpOp>(maker.make<NegOp>(maker.make<SquareOp>(getX())));
  // 2 / sqrt(pi)
  Value slope = maker.make<MulOp>(maker.scalar(1.1283791670955126, bell), bell);
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult SoftplusOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                        Values &dxs) {
  Maker maker(builder, *this);
  Value slope = maker.make<SigmoidOp>(getX());
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult Relu6Op::buildGradient(OpBuilder &builder, ValueRange dys,
                                     Values &dxs) {
  Maker maker(builder, *this);
  Value isAbove = maker.make<GreaterOp>(getX(), maker.scalar(0, getX()));
  Value isBelow = maker.make<LessOp>(getX(), maker.scalar(6, getX()));
  dxs.push_back(
      keepWhere(maker, maker.make<LogicalAndOp>(isAbove, isBelow), dys[0]));
  return success();
}

LogicalResult EluOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  Value isBelow = maker.make<LessOp>(getY(), maker.scalar(0, getY()));
  Value slope = maker.make<AddOp>(getY(), maker.scalar(1, getY()));
  Value below = maker.make<MulOp>(dys[0], slope);
  dxs.push_back(maker.make<SelectOp>(isBelow, below, dys[0]));
  return success();
}

// Phi(x) + x phi(x).
static Value geluSlope(Maker &maker, Value x) {
  auto times = [&](double factor, Value value) {
    return maker.make<MulOp>(maker.scalar(factor, value), value);
  };
  Value erf = maker.make<ErfOp>(times(0.70710678118654752, x)); // 1 / sqrt(2)
  Value cdf = times(0.5, maker.make<AddOp>(maker.scalar(1, erf), erf));
  Value bell = maker.make<ExpOp>(times(-0.5, maker.make<SquareOp>(x)));
  Value density = times(0.39894228040143268, bell); // 1 / sqrt(2 pi)
  return maker.make<AddOp>(cdf, maker.make<MulOp>(x, density));
}

// With t = tanh(u): (1 + t) / 2 + x (1 - t^2) u' / 2.
static Value geluSlopeByTanh(Maker &maker, Value x) {
  auto times = [&](double factor, Value value) {
    return maker.make<MulOp>(maker.scalar(factor, value), value);
  };
  constexpr double root = 0.79788456080286536; // sqrt(2 / pi)
  Value square = maker.make<SquareOp>(x), one = maker.scalar(1, x);
  Value inner = maker.make<AddOp>(one, times(0.044715, square));
  Value t = maker.make<TanhOp>(times(root, maker.make<MulOp>(x, inner)));
  Value half = times(0.5, maker.make<AddOp>(one, t));
  Value rise = maker.make<SubOp>(one, maker.make<SquareOp>(t));
  Value innerSlope =
      times(root, maker.make<AddOp>(one, times(3 * 0.044715, square)));
  Value bend =
      maker.make<MulOp>(maker.make<MulOp>(times(0.5, x), rise), innerSlope);
  return maker.make<AddOp>(half, bend);
}

LogicalResult GeluOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  Value slope = getApproximate() ? geluSlopeByTanh(maker, getX())
                                 : geluSlope(maker, getX());
  dxs.push_back(maker.make<MulOp>(dys[0], slope));
  return success();
}

LogicalResult LeakyReluOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                         Values &dxs) {
  Maker maker(builder, *this);
  Value isAbove = maker.make<GreaterOp>(getX(), maker.scalar(0, getX()));
  Value below = maker.make<MulOp>(
      dys[0], maker.scalar(getAlpha().convertToDouble(), dys[0]));
  dxs.push_back(maker.make<SelectOp>(isAbove, dys[0], below));
  return success();
}

LogicalResult ClipOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                    Values &dxs) {
  Maker maker(builder, *this);
  Value low = maker.scalar(getLow().convertToDouble(), getX());
  Value high = maker.scalar(getHigh().convertToDouble(), getX());
  Value isInside =
      maker.make<LogicalAndOp>(maker.make<GreaterEqualOp>(getX(), low),
                               maker.make<LessEqualOp>(getX(), high));
  dxs.push_back(keepWhere(maker, isInside, dys[0]));
  return success();
}

//===----------------------------------------------------------------------===//
// Two operands that broadcast
//===----------------------------------------------------------------------===//

LogicalResult AddOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(dys[0], getLhs()));
  dxs.push_back(maker.sumTo(dys[0], getRhs()));
  return success();
}

LogicalResult SubOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(dys[0], getLhs()));
  dxs.push_back(maker.make<NegOp>(maker.sumTo(dys[0], getRhs())));
  return success();
}

LogicalResult MulOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], getRhs()), getLhs()));
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], getLhs()), getRhs()));
  return success();
}

LogicalResult DivOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  // A truncating division has no gradient.
  if (!isFloatTensor(getResult().getType())) {
    dxs.append(2, Value());
    return success();
  }
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(maker.make<DivOp>(dys[0], getRhs()), getLhs()));
  Value negative = maker.make<NegOp>(getLhs());
  Value slope =
      maker.make<DivOp>(maker.make<DivOp>(negative, getRhs()), getRhs());
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], slope), getRhs()));
  return success();
}

// Of equals the left one counts, as in TensorFlow.
LogicalResult MaximumOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  Value isLeft = maker.make<EqualOp>(getResult(), getLhs());
  Value left = maker.make<CastOp>(getResult().getType(), isLeft);
  Value right = maker.make<SubOp>(maker.scalar(1, left), left);
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], left), getLhs()));
  dxs.push_back(maker.sumTo(maker.make<MulOp>(dys[0], right), getRhs()));
  return success();
}

LogicalResult FloorModOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                        Values &dxs) {
  // Integers have no gradient.
  if (!isFloatTensor(getResult().getType())) {
    dxs.append(2, Value());
    return success();
  }
  Maker maker(builder, *this);
  Value quotient = maker.make<FloorDivOp>(getLhs(), getRhs());
  Value right = maker.make<MulOp>(dys[0], maker.make<NegOp>(quotient));
  dxs.push_back(maker.sumTo(dys[0], getLhs()));
  dxs.push_back(maker.sumTo(right, getRhs()));
  return success();
}

LogicalResult MinimumOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                       Values &dxs) {
  Maker maker(builder, *this);
  Value isLeft = maker.make<LessEqualOp>(getLhs(), getRhs());
  dxs.push_back(maker.sumTo(keepWhere(maker, isLeft, dys[0]), getLhs()));
  dxs.push_back(maker.sumTo(keepUnless(maker, isLeft, dys[0]), getRhs()));
  return success();
}

LogicalResult PowOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                   Values &dxs) {
  Maker maker(builder, *this);
  Value x = getLhs(), y = getRhs();
  Value one = maker.scalar(1, x), zero = maker.scalar(0, x);
  Value power = maker.make<PowOp>(x, maker.make<SubOp>(y, one));
  Value left = maker.make<MulOp>(maker.make<MulOp>(dys[0], y), power);
  // The logarithm of a base that is not positive never enters: not even as a
  // NaN times 0.
  Value isPositive = maker.make<GreaterOp>(x, zero);
  Value safe = maker.make<WhereOp>(isPositive, x, one);
  Value log = maker.make<WhereOp>(isPositive, maker.make<LogOp>(safe), zero);
  Value right = maker.make<MulOp>(maker.make<MulOp>(dys[0], getResult()), log);
  dxs.push_back(maker.sumTo(left, x));
  dxs.push_back(maker.sumTo(right, y));
  return success();
}

LogicalResult SelectOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                      Values &dxs) {
  dxs.push_back(Value());
  if (!isFloatTensor(getResult().getType())) {
    dxs.append(2, Value());
    return success();
  }
  Maker maker(builder, *this);
  dxs.push_back(keepWhere(maker, getCondition(), dys[0]));
  dxs.push_back(keepUnless(maker, getCondition(), dys[0]));
  return success();
}

LogicalResult WhereOp::buildGradient(OpBuilder &builder, ValueRange dys,
                                     Values &dxs) {
  dxs.push_back(Value());
  if (!isFloatTensor(getResult().getType())) {
    dxs.append(2, Value());
    return success();
  }
  Maker maker(builder, *this);
  dxs.push_back(maker.sumTo(keepWhere(maker, getCondition(), dys[0]), getX()));
  dxs.push_back(maker.sumTo(keepUnless(maker, getCondition(), dys[0]), getY()));
  return success();
}
