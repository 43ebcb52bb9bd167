#include "passes/kernel/LaneArithmetic.h"

#include "dialects/graph/Ops.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;
using FloatPredicate = arith::CmpFPredicate;
using IntegerPredicate = arith::CmpIPredicate;

static bool isFloat(Value lanes) {
  return isa<FloatType>(getElementTypeOrSelf(lanes));
}

static Value numberLike(LaneBuilder &b, int64_t value, Value like) {
  return b.number(getElementTypeOrSelf(like), double(value), widthOf(like));
}

Value dtc::kernel::toBoolean(LaneBuilder &b, Value condition) {
  return arith::ExtUIOp::create(
      b, b.lanes(b.getIntegerType(8), widthOf(condition)), condition);
}

Value dtc::kernel::isFalse(LaneBuilder &b, Value boolean) {
  return b.compare(IntegerPredicate::eq, boolean, numberLike(b, 0, boolean));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Value dtc::kernel::buildLess(LaneBuilder &b, bool isUnsigned, Value x,
                             Value y) {
  if (isFloat(x))
    return b.compare(FloatPredicate::OLT, x, y);
  return b.compare(isUnsigned ? IntegerPredicate::ult : IntegerPredicate::slt,
                   x, y);
}

static Value buildLessEqual(LaneBuilder &b, bool isUnsigned, Value x, Value y) {
  if (isFloat(x))
    return b.compare(FloatPredicate::OLE, x, y);
  return b.compare(isUnsigned ? IntegerPredicate::ule : IntegerPredicate::sle,
                   x, y);
}

Value dtc::kernel::buildComparison(LaneBuilder &b, Operation *op, Type element,
                                   Value x, Value y) {
  bool hasNoSign = isUnsigned(element);
  if (isa<graph::LessOp>(op))
    return toBoolean(b, buildLess(b, hasNoSign, x, y));
  if (isa<graph::GreaterOp>(op))
    return toBoolean(b, buildLess(b, hasNoSign, y, x));
  if (isa<graph::LessEqualOp>(op))
    return toBoolean(b, buildLessEqual(b, hasNoSign, x, y));
  if (isa<graph::GreaterEqualOp>(op))
    return toBoolean(b, buildLessEqual(b, hasNoSign, y, x));
  bool isEqual = isa<graph::EqualOp>(op);
  // Unordered: a NaN differs from everything.
  if (isFloat(x))
    return toBoolean(
        b,
        b.compare(isEqual ? FloatPredicate::OEQ : FloatPredicate::UNE, x, y));
  return toBoolean(
      b,
      b.compare(isEqual ? IntegerPredicate::eq : IntegerPredicate::ne, x, y));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

Value dtc::kernel::buildDiv(LaneBuilder &b, Type element, Value x, Value y) {
  if (isFloat(x))
    return b.div(x, y);
  Value zero = numberLike(b, 0, x), one = numberLike(b, 1, x);
  Value isZero = b.compare(IntegerPredicate::eq, y, zero);
  // What the processor traps on never reaches it.
  Value safe = b.select(isZero, one, y);
  if (isUnsigned(element))
    return b.select(isZero, zero, arith::DivUIOp::create(b, x, safe));
  Value isMinusOne = b.compare(IntegerPredicate::eq, y, numberLike(b, -1, x));
  safe = b.select(isMinusOne, one, safe);
  Value quotient = arith::DivSIOp::create(b, x, safe);
  quotient = b.select(isMinusOne, b.difference(zero, quotient), quotient);
  return b.select(isZero, zero, quotient);
}

/// What truncation leaves of x, and whether flooring takes one more off the
/// quotient: something is left, of another sign than y.
static std::pair<Value, Value> remainderOf(LaneBuilder &b, Type element,
                                           Value quotient, Value x, Value y) {
  Value zero = numberLike(b, 0, x);
  Value rest = b.difference(x, b.product(quotient, y));
  auto isNegative = [&](Value value) {
    return buildLess(b, isUnsigned(element), value, zero);
  };
  Value isOther =
      b.compare(IntegerPredicate::ne, isNegative(rest), isNegative(y));
  Value isLeft = b.compare(IntegerPredicate::ne, rest, zero);
  Value hasDivisor = b.compare(IntegerPredicate::ne, y, zero);
  Value isLower = arith::AndIOp::create(
      b, isOther, arith::AndIOp::create(b, isLeft, hasDivisor));
  return {rest, isLower};
}

Value dtc::kernel::buildFloorDiv(LaneBuilder &b, Type element, Value x,
                                 Value y) {
  Value quotient = buildDiv(b, element, x, y);
  if (isFloat(x))
    return b.floor(quotient);
  Value isLower = remainderOf(b, element, quotient, x, y).second;
  return b.select(isLower, b.difference(quotient, numberLike(b, 1, x)),
                  quotient);
}

Value dtc::kernel::buildFloorMod(LaneBuilder &b, Type element, Value x,
                                 Value y) {
  Value quotient = buildDiv(b, element, x, y);
  auto [rest, isLower] = remainderOf(b, element, quotient, x, y);
  return b.select(isLower, b.sum(rest, y), rest);
}
