#include "passes/kernel/LaneOps.h"

#include "dialects/graph/Ops.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/kernel/ApplyLanes.h"
#include "passes/kernel/Fusion.h"
#include "passes/kernel/LaneArithmetic.h"
#include "passes/kernel/LaneMath.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

static bool isFloat(Value lanes) {
  return isa<FloatType>(getElementTypeOrSelf(lanes));
}

/// 0 in every lane of a value like `like`.
static Value zeroLike(LaneBuilder &b, Value like) {
  return b.number(getElementTypeOrSelf(like), 0, widthOf(like));
}

/// An attribute's number in every lane, as the lanes' type has it.
static Value numberLike(LaneBuilder &b, const APFloat &value, Value like) {
  return b.number(getElementTypeOrSelf(like), value.convertToDouble(),
                  widthOf(like));
}

static Value buildNegation(LaneBuilder &b, Value x) {
  if (isFloat(x))
    return arith::NegFOp::create(b, x);
  return arith::SubIOp::create(b, zeroLike(b, x), x);
}

/// 0 where 0 > x, else x: a NaN passes, and so does -0.
static Value buildRelu(LaneBuilder &b, Value x) {
  Value zero = zeroLike(b, x);
  return b.select(b.compare(arith::CmpFPredicate::OGT, zero, x), zero, x);
}

static Value buildReluGrad(LaneBuilder &b, Value dy, Value x) {
  Value zero = zeroLike(b, x);
  return b.select(b.compare(arith::CmpFPredicate::OGT, x, zero), dy, zero);
}

static Value buildAbs(LaneBuilder &b, Value x) {
  if (isFloat(x))
    return math::AbsFOp::create(b, x);
  Value isNegative = b.compare(arith::CmpIPredicate::slt, x, zeroLike(b, x));
  return b.select(isNegative, buildNegation(b, x), x);
}

/// A zero and a NaN are themselves.
static Value buildSign(LaneBuilder &b, Value x) {
  Value zero = zeroLike(b, x);
  auto one = [&](double sign) {
    return b.number(getElementTypeOrSelf(x), sign, widthOf(x));
  };
  Value isAbove = buildLess(b, /*isUnsigned=*/false, zero, x);
  Value isBelow = buildLess(b, /*isUnsigned=*/false, x, zero);
  return b.select(isAbove, one(1), b.select(isBelow, one(-1), x));
}

static Value buildRsqrt(LaneBuilder &b, Value x) {
  return b.div(b.number(getElementTypeOrSelf(x), 1, widthOf(x)), b.sqrt(x));
}

/// x bounded from above by `limit`; a NaN passes.
static Value buildAtMost(LaneBuilder &b, Value x, Value limit) {
  return b.select(b.compare(arith::CmpFPredicate::OGT, x, limit), limit, x);
}

static Value buildClip(LaneBuilder &b, graph::ClipOp op, Value x) {
  Value low = numberLike(b, op.getLow(), x);
  x = b.select(b.compare(arith::CmpFPredicate::OLT, x, low), low, x);
  return buildAtMost(b, x, numberLike(b, op.getHigh(), x));
}

static Value buildLeakyRelu(LaneBuilder &b, graph::LeakyReluOp op, Value x) {
  Value isAbove = b.compare(arith::CmpFPredicate::OGT, x, zeroLike(b, x));
  return b.select(isAbove, x, b.mul(numberLike(b, op.getAlpha(), x), x));
}

/// An op on one tensor.
static Value buildUnary(LaneBuilder &b, Operation *op, Value x) {
  using namespace graph;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<NegOp>([&](auto) { return buildNegation(b, x); })
      .Case<AbsOp>([&](auto) { return buildAbs(b, x); })
      .Case<SignOp>([&](auto) { return buildSign(b, x); })
      .Case<SquareOp>([&](auto) { return b.product(x, x); })
      .Case<FloorOp>([&](auto) { return b.floor(x); })
      .Case<CeilOp>([&](auto) { return b.ceil(x); })
      .Case<ExpOp>([&](auto) { return buildExp(b, x); })
      .Case<LogOp>([&](auto) { return buildLog(b, x); })
      .Case<SqrtOp>([&](auto) { return b.sqrt(x); })
      .Case<RsqrtOp>([&](auto) { return buildRsqrt(b, x); })
      .Case<SinOp>([&](auto) { return buildSin(b, x); })
      .Case<CosOp>([&](auto) { return buildCos(b, x); })
      .Case<TanhOp>([&](auto) { return buildTanh(b, x); })
      .Case<SigmoidOp>([&](auto) { return buildSigmoid(b, x); })
      .Case<ErfOp>([&](auto) { return buildErf(b, x); })
      .Case<GeluOp>([&](auto gelu) {
        return gelu.getApproximate() ? buildGeluByTanh(b, x) : buildGelu(b, x);
      })
      .Case<SoftplusOp>([&](auto) { return buildSoftplus(b, x); })
      .Case<EluOp>([&](auto) { return buildElu(b, x); })
      .Case<ReluOp>([&](auto) { return buildRelu(b, x); })
      .Case<Relu6Op>([&](auto) {
        Value six = b.number(getElementTypeOrSelf(x), 6, widthOf(x));
        return buildAtMost(b, buildRelu(b, x), six);
      })
      .Case<LeakyReluOp>(
          [&](auto leaky) { return buildLeakyRelu(b, leaky, x); })
      .Case<ClipOp>([&](auto clip) { return buildClip(b, clip, x); })
      .Case<LogicalNotOp>([&](auto) { return toBoolean(b, isFalse(b, x)); })
      .Case<CastOp>([&](auto cast) {
        return buildCast(b, x, elementOf(cast.getX()), elementOf(cast.getY()));
      })
      .Default(nullptr);
}

/// An op on two tensors of one element type.
static Value buildBinary(LaneBuilder &b, Operation *op, Value x, Value y) {
  using namespace graph;
  Type element = elementOf(op->getOperand(0));
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<AddOp, BiasAddOp>([&](auto) { return b.sum(x, y); })
      .Case<SubOp>([&](auto) { return b.difference(x, y); })
      .Case<MulOp>([&](auto) { return b.product(x, y); })
      .Case<DivOp>([&](auto) { return buildDiv(b, element, x, y); })
      .Case<FloorDivOp>([&](auto) { return buildFloorDiv(b, element, x, y); })
      .Case<FloorModOp>([&](auto) { return buildFloorMod(b, element, x, y); })
      .Case<MaximumOp>([&](auto) { return b.maximum(element, x, y); })
      .Case<MinimumOp>([&](auto) { return b.minimum(element, x, y); })
      .Case<PowOp>([&](auto) { return buildPower(b, x, y); })
      .Case<EqualOp, NotEqualOp, LessOp, LessEqualOp, GreaterOp,
            GreaterEqualOp>(
          [&](auto) { return buildComparison(b, op, element, x, y); })
      .Case<LogicalAndOp>([&](auto) { return arith::AndIOp::create(b, x, y); })
      .Case<LogicalOrOp>([&](auto) { return arith::OrIOp::create(b, x, y); })
      .Case<ReluGradOp>([&](auto) { return buildReluGrad(b, x, y); })
      .Default(nullptr);
}

/// The op's single result before rounding; null without code for the op.
static Value buildSingle(LaneBuilder &b, Operation *op, ValueRange in) {
  if (isa<graph::SelectOp, graph::WhereOp>(op))
    return b.select(isFalse(b, in[0]), in[2], in[1]);
  return in.size() == 1 ? buildUnary(b, op, in[0])
                        : buildBinary(b, op, in[0], in[1]);
}

// The remainder of floats is exact only by long division, whose length depends
// on the values (C's fmod): it stays on its reference kernel.
bool dtc::kernel::hasLanes(Operation *op) {
  using namespace graph;
  return isa<NegOp, AbsOp, SignOp, SquareOp, FloorOp, CeilOp, ExpOp, LogOp,
             SqrtOp, RsqrtOp, SinOp, CosOp, TanhOp, SigmoidOp, ErfOp, GeluOp,
             SoftplusOp, EluOp, ReluOp, Relu6Op, LeakyReluOp, ClipOp,
             LogicalNotOp, CastOp, AddOp, BiasAddOp, SubOp, MulOp, DivOp,
             FloorDivOp, MaximumOp, MinimumOp, PowOp, EqualOp, NotEqualOp,
             LessOp, LessEqualOp, GreaterOp, GreaterEqualOp, LogicalAndOp,
             LogicalOrOp, ReluGradOp, SelectOp, WhereOp>(op) ||
         hasApplyLanes(op) ||
         (isa<FloorModOp>(op) && !isa<FloatType>(elementOf(op->getResult(0))));
}

SmallVector<Value> dtc::kernel::buildElementwise(LaneBuilder &b, Operation *op,
                                                 ValueRange operands) {
  SmallVector<Value> results;
  if (hasApplyLanes(op))
    results = buildApply(b, op, operands);
  else
    results.push_back(buildSingle(b, op, operands));
  for (auto [lanes, result] : llvm::zip_equal(results, op->getResults()))
    lanes = b.round(elementOf(result), lanes);
  return results;
}
