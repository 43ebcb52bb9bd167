// pow: exp(y log |x|), and C's special cases around it. The logarithm and its
// product with y have twice the digits of f64: an error in y log |x| is a
// relative error of the result, and y log |x| may be 709.
#include "passes/kernel/LaneFormat.h"
#include "passes/kernel/LaneMath.h"

using namespace mlir;
using namespace dtc::kernel;
using Predicate = arith::CmpFPredicate;

namespace {
/// The unevaluated sum of two numbers, |low| at most half a unit of high.
struct Pair {
  Value high, low;
};
} // namespace

/// a + b, |a| >= |b|, exactly.
static Pair fastSum(LaneBuilder &b, Value x, Value y) {
  Value high = b.add(x, y);
  return {high, b.sub(y, b.sub(high, x))};
}

/// x * y.high exactly, and x * y.low rounded.
static Pair product(LaneBuilder &b, Value x, Pair y) {
  Value high = b.mul(x, y.high);
  Value low = b.fma(x, y.high, arith::NegFOp::create(b, high));
  return {high, b.fma(x, y.low, low)};
}

static Pair product(LaneBuilder &b, Pair x, Pair y) {
  Pair result = product(b, x.high, y);
  return {result.high, b.fma(x.low, y.high, result.low)};
}

/// log x = k ln 2 + 2 atanh(s), s = f / (2 + f), x = 2^k (1 + f), of positive
/// finite f64 lanes.
static Pair buildLogPair(Lanes &lanes, Value x) {
  // 2/5, 2/7, …; the term before them is a Pair.
  static constexpr double kTerms[] = {2 / 5.0,  2 / 7.0,  2 / 9.0,
                                      2 / 11.0, 2 / 13.0, 2 / 15.0,
                                      2 / 17.0, 2 / 19.0, 2 / 21.0};
  LaneBuilder &b = lanes.b;
  auto [k, m] = splitExponent(lanes, x);
  Value f = b.sub(m, lanes.number(1));
  Pair divisor = fastSum(b, lanes.number(2), f);
  Value s = b.div(f, divisor.high);
  Value rest = b.fma(arith::NegFOp::create(b, s), divisor.high, f);
  rest = b.fma(arith::NegFOp::create(b, s), divisor.low, rest);
  Pair quotient{s, b.div(rest, divisor.high)};
  Pair square = product(b, quotient, quotient);
  // 2/3 + z (2/5 + …).
  Value tail = b.mul(square.high, lanes.polynomial(kTerms, square.high));
  Pair series = fastSum(b, lanes.number(2 / 3.0), tail);
  series.low = b.add(series.low, lanes.number(0x1.5555555555555p-55));
  Pair cubic = product(b, product(b, quotient, square), series);
  Pair twice{b.add(s, s), b.add(quotient.low, quotient.low)};
  Pair log = fastSum(b, twice.high, cubic.high);
  log.low = b.add(log.low, b.add(twice.low, cubic.low));
  // k ln 2: the product with the high part is exact.
  Value whole = b.mul(k, lanes.number(lanes.format.ln2High));
  Value isWhole = b.compare(Predicate::OEQ, k, lanes.number(0));
  Pair sum = fastSum(b, whole, log.high);
  sum.low =
      b.add(sum.low, b.fma(k, lanes.number(lanes.format.ln2Low), log.low));
  sum.high = b.select(isWhole, log.high, sum.high);
  sum.low = b.select(isWhole, log.low, sum.low);
  return fastSum(b, sum.high, sum.low);
}

/// x^y for x > 0 or NaN, 0 and infinity too.
static Value buildMagnitude(Lanes &lanes, Value x, Value y) {
  LaneBuilder &b = lanes.b;
  Value one = lanes.number(1), zero = lanes.number(0);
  Value infinity = lanes.number(std::numeric_limits<double>::infinity());
  Pair log = buildLogPair(lanes, x);
  Pair exponent = product(b, y, log);
  Value isFinite = b.compare(Predicate::OLT, lanes.absolute(exponent.high),
                             lanes.number(1e4));
  Value exp = buildExp(b, exponent.high);
  Value isNormal = b.compare(Predicate::OLT, exp, infinity);
  Value exact = b.fma(exp, exponent.low, exp);
  Value result =
      b.select(arith::AndIOp::create(b, isFinite, isNormal), exact, exp);
  // 0 and infinity have no logarithm above; both go the way of y's sign.
  Value isZero = b.compare(Predicate::OEQ, x, zero);
  Value isInfinite = b.compare(Predicate::OEQ, x, infinity);
  Value isBelow = b.compare(Predicate::OLT, y, zero);
  Value ofZero = b.select(isBelow, infinity, zero);
  Value ofInfinity = b.select(isBelow, zero, infinity);
  result = b.select(isZero, ofZero, result);
  result = b.select(isInfinite, ofInfinity, result);
  result = b.select(b.compare(Predicate::OEQ, x, one), one, result);
  // A NaN in either.
  return b.select(b.compare(Predicate::UNO, x, y), b.add(x, y), result);
}

static Value buildDoublePower(LaneBuilder &b, Value x, Value y) {
  Lanes lanes(b, x);
  Value one = lanes.number(1), zero = lanes.number(0);
  Value nan = lanes.number(std::numeric_limits<double>::quiet_NaN());
  Value result = buildMagnitude(lanes, lanes.absolute(x), y);
  Value isWhole = b.compare(Predicate::OEQ, b.floor(y), y);
  Value half = b.mul(y, lanes.number(0.5));
  Value isOdd = arith::AndIOp::create(
      b, isWhole, b.compare(Predicate::UNE, b.floor(half), half));
  Value negated = lanes.flipSign(result, lanes.toBits(x));
  result = b.select(isOdd, negated, result);
  Value isNegative = arith::AndIOp::create(
      b, b.compare(Predicate::OLT, x, zero),
      b.compare(Predicate::OGT, x,
                lanes.number(-std::numeric_limits<double>::infinity())));
  Value isFraction = b.compare(Predicate::ONE, b.floor(y), y);
  result =
      b.select(arith::AndIOp::create(b, isNegative, isFraction), nan, result);
  Value isOne = arith::OrIOp::create(b, b.compare(Predicate::OEQ, x, one),
                                     b.compare(Predicate::OEQ, y, zero));
  return b.select(isOne, one, result);
}

Value dtc::kernel::buildPower(LaneBuilder &b, Value x, Value y) {
  return inDouble(b, {x, y}, [&](ValueRange in) {
    return buildDoublePower(b, in[0], in[1]);
  });
}
