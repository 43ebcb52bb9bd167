#include "passes/kernel/LaneOps.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/ApplyLanes.h"
#include "passes/kernel/Fusion.h"
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

/// i1 lanes as the i8 lanes of the element type i1.
static Value toBoolean(LaneBuilder &b, Value condition) {
  return arith::ExtUIOp::create(
      b, b.lanes(b.getIntegerType(8), widthOf(condition)), condition);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Truncates and saturates; a NaN gives 0. What fptosi leaves undefined never
/// reaches it.
static Value floatToInteger(LaneBuilder &b, Value x, Type to) {
  using Predicate = arith::CmpFPredicate;
  int64_t width = widthOf(x);
  Type from = getElementTypeOrSelf(x), integer = memoryType(to);
  unsigned bits = integer.getIntOrFloatBitWidth();
  bool hasSign = !isUnsigned(to);
  APInt least = hasSign ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
  APInt most =
      hasSign ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  Value low = b.number(from, least.signedRoundToDouble(), width);
  Value high = b.number(from, most.roundToDouble(hasSign), width);
  Value isAbove = b.compare(Predicate::OGE, x, high);
  Value isBelow = b.compare(Predicate::OLE, x, low);
  Value isInside = arith::AndIOp::create(b, b.compare(Predicate::OGT, x, low),
                                         b.compare(Predicate::OLT, x, high));
  Value safe = b.select(isInside, x, b.number(from, 0, width));
  Type type = b.lanes(integer, width);
  Value result = hasSign ? Value(arith::FPToSIOp::create(b, type, safe))
                         : Value(arith::FPToUIOp::create(b, type, safe));
  auto limit = [&](const APInt &value) {
    return b.integer(integer, value.getSExtValue(), width);
  };
  result = b.select(isAbove, limit(most), result);
  return b.select(isBelow, limit(least), result);
}

static Value floatToFloat(LaneBuilder &b, Value x, Type to) {
  Type from = getElementTypeOrSelf(x);
  Type type = b.lanes(to, widthOf(x));
  if (from == to)
    return x;
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, type, x);
  return arith::TruncFOp::create(b, type, x);
}

static Value integerToInteger(LaneBuilder &b, Value x, Type from, Type to) {
  unsigned bitsFrom = memoryType(from).getIntOrFloatBitWidth(),
           bitsTo = to.getIntOrFloatBitWidth();
  Type type = b.lanes(to, widthOf(x));
  if (bitsFrom == bitsTo)
    return x;
  if (bitsFrom > bitsTo)
    return arith::TruncIOp::create(b, type, x);
  if (isUnsigned(from))
    return arith::ExtUIOp::create(b, type, x);
  return arith::ExtSIOp::create(b, type, x);
}

static Value buildCast(LaneBuilder &b, Value x, Type from, Type to) {
  if (to.isInteger(1)) {
    Value zero = zeroLike(b, x);
    // Unordered: a NaN is not 0.
    return toBoolean(b, isFloat(x)
                            ? b.compare(arith::CmpFPredicate::UNE, x, zero)
                            : b.compare(arith::CmpIPredicate::ne, x, zero));
  }
  Type lane = laneType(to);
  if (isFloat(x))
    return isa<FloatType>(lane) ? floatToFloat(b, x, lane)
                                : floatToInteger(b, x, to);
  if (!isa<FloatType>(lane))
    return integerToInteger(b, x, from, lane);
  Type type = b.lanes(lane, widthOf(x));
  if (isUnsigned(from))
    return arith::UIToFPOp::create(b, type, x);
  return arith::SIToFPOp::create(b, type, x);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

static Value buildEqual(LaneBuilder &b, Value x, Value y) {
  return toBoolean(b, isFloat(x) ? b.compare(arith::CmpFPredicate::OEQ, x, y)
                                 : b.compare(arith::CmpIPredicate::eq, x, y));
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

static Value buildDifference(LaneBuilder &b, Value x, Value y) {
  return isFloat(x) ? b.sub(x, y) : Value(arith::SubIOp::create(b, x, y));
}

static Value buildProduct(LaneBuilder &b, Value x, Value y) {
  return isFloat(x) ? b.mul(x, y) : Value(arith::MulIOp::create(b, x, y));
}

/// The op's single result before rounding.
static Value buildSingle(LaneBuilder &b, Operation *op, ValueRange in) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<graph::AddOp, graph::BiasAddOp>(
          [&](auto) { return b.sum(in[0], in[1]); })
      .Case<graph::SubOp>(
          [&](auto) { return buildDifference(b, in[0], in[1]); })
      .Case<graph::MulOp>([&](auto) { return buildProduct(b, in[0], in[1]); })
      .Case<graph::SquareOp>(
          [&](auto) { return buildProduct(b, in[0], in[0]); })
      .Case<graph::DivOp>([&](auto) { return b.div(in[0], in[1]); })
      .Case<graph::MaximumOp>([&](auto maximum) {
        return b.maximum(elementOf(maximum.getResult()), in[0], in[1]);
      })
      .Case<graph::EqualOp>([&](auto) { return buildEqual(b, in[0], in[1]); })
      .Case<graph::NegOp>([&](auto) { return buildNegation(b, in[0]); })
      .Case<graph::ExpOp>([&](auto) { return buildExp(b, in[0]); })
      .Case<graph::LogOp>([&](auto) { return buildLog(b, in[0]); })
      .Case<graph::SqrtOp>([&](auto) { return b.sqrt(in[0]); })
      .Case<graph::ReluOp>([&](auto) { return buildRelu(b, in[0]); })
      .Case<graph::ReluGradOp>(
          [&](auto) { return buildReluGrad(b, in[0], in[1]); })
      .Case<graph::CastOp>([&](auto cast) {
        return buildCast(b, in[0], elementOf(cast.getX()),
                         elementOf(cast.getY()));
      });
}

bool dtc::kernel::hasLanes(Operation *op) {
  return isa<graph::AddOp, graph::BiasAddOp, graph::SubOp, graph::MulOp,
             graph::SquareOp, graph::MaximumOp, graph::EqualOp, graph::NegOp,
             graph::ExpOp, graph::LogOp, graph::SqrtOp, graph::ReluOp,
             graph::ReluGradOp, graph::CastOp>(op) ||
         hasApplyLanes(op) ||
         (isa<graph::DivOp>(op) && isa<FloatType>(elementOf(op->getResult(0))));
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
