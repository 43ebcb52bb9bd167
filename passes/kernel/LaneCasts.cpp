// Conversions between element types.
#include "passes/kernel/Fusion.h"
#include "passes/kernel/LaneArithmetic.h"

using namespace mlir;
using namespace dtc::kernel;

static bool isFloat(Value lanes) {
  return isa<FloatType>(getElementTypeOrSelf(lanes));
}

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

Value dtc::kernel::buildCast(LaneBuilder &b, Value x, Type from, Type to) {
  if (to.isInteger(1)) {
    Value zero = b.number(getElementTypeOrSelf(x), 0, widthOf(x));
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
