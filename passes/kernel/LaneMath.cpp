#include "passes/kernel/LaneMath.h"

#include "passes/kernel/LaneFormat.h"

using namespace mlir;
using namespace dtc::kernel;

// f32: Chebyshev interpolation of (exp(r) - 1 - r) / r² on the interval;
// relative error of exp below 1e-8. f64: the Taylor series 1/k!, whose first
// missing term is below 5e-18.
static constexpr double kExp32[] = {0x1p-1, 0x1.5554dep-3, 0x1.55551ap-5,
                                    0x1.120b62p-7, 0x1.6d10fcp-10};
static constexpr double kExp64[] = {
    1 / 2.0,       1 / 6.0,        1 / 24.0,        1 / 120.0,
    1 / 720.0,     1 / 5040.0,     1 / 40320.0,     1 / 362880.0,
    1 / 3628800.0, 1 / 39916800.0, 1 / 479001600.0, 1 / 6227020800.0};
// The series of atanh; |s| <= 0.172, so that each term has 0.03 of the last.
static constexpr double kLog[] = {2 / 3.0,  2 / 5.0,  2 / 7.0,  2 / 9.0,
                                  2 / 11.0, 2 / 13.0, 2 / 15.0, 2 / 17.0,
                                  2 / 19.0, 2 / 21.0};

static const Format kFormat32 = {23,
                                 127,
                                 0x1.8p23,
                                 0.693359375,
                                 -0x1.bd0106p-13,
                                 -104,
                                 89,
                                 0x3f3504f3,
                                 0x1p-126,
                                 0x1p25,
                                 25,
                                 kExp32,
                                 ArrayRef(kLog).take_front(4)};
static const Format kFormat64 = {52,
                                 1023,
                                 0x1.8p52,
                                 0x1.62e42feep-1,
                                 0x1.a39ef35793c76p-33,
                                 -746,
                                 710,
                                 0x3fe6a09e667f3bcd,
                                 0x1p-1022,
                                 0x1p54,
                                 54,
                                 kExp64,
                                 kLog};

const Format &dtc::kernel::formatOf(Type type) {
  return type.isF32() ? kFormat32 : kFormat64;
}

Value dtc::kernel::inDouble(LaneBuilder &b, ValueRange operands,
                            function_ref<Value(ValueRange)> f) {
  Type type = getElementTypeOrSelf(operands[0]);
  if (type.isF64())
    return f(operands);
  Type wide = b.lanes(b.getF64Type(), widthOf(operands[0]));
  SmallVector<Value> widened;
  for (Value operand : operands)
    widened.push_back(arith::ExtFOp::create(b, wide, operand));
  return arith::TruncFOp::create(b, operands[0].getType(), f(widened));
}

ExpParts dtc::kernel::splitExp(Lanes &lanes, Value x) {
  LaneBuilder &b = lanes.b;
  const Format &format = lanes.format;
  // x = n ln 2 + r. The low bits of n + magic are the integer n, which spares
  // a float-to-integer conversion (undefined for a NaN).
  Value magic = lanes.number(format.magic);
  Value shifted = b.fma(x, lanes.number(0x1.71547652b82fep+0), magic);
  Value n = b.sub(shifted, magic);
  Value r = b.fma(n, lanes.number(-format.ln2High), x);
  r = b.fma(n, lanes.number(-format.ln2Low), r);
  Value q = lanes.polynomial(format.expTerms, r);
  Value exponent =
      arith::SubIOp::create(b, lanes.toBits(shifted), lanes.magicBits());
  return {exponent, b.fma(q, b.mul(r, r), r)};
}

Value dtc::kernel::buildExp(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  const Format &format = lanes.format;
  using Predicate = arith::CmpFPredicate;
  // Clamp so that exponents stay in range; a NaN compares false and passes.
  Value low = lanes.number(format.expLow), high = lanes.number(format.expHigh);
  x = b.select(b.compare(Predicate::OLT, x, low), low, x);
  x = b.select(b.compare(Predicate::OGT, x, high), high, x);
  auto [exponent, remainder] = splitExp(lanes, x);
  Value p = b.add(remainder, lanes.number(1));
  // 2^n in two factors: the result may be subnormal, or above the largest
  // power of two; only the last multiplication rounds.
  Value half = arith::ShRSIOp::create(b, exponent, lanes.integer(1));
  Value rest = arith::SubIOp::create(b, exponent, half);
  return b.mul(b.mul(p, lanes.power(half)), lanes.power(rest));
}

ExponentParts dtc::kernel::splitExponent(Lanes &lanes, Value x) {
  LaneBuilder &b = lanes.b;
  const Format &format = lanes.format;
  Value isSubnormal = b.compare(arith::CmpFPredicate::OLT, x,
                                lanes.number(format.smallestNormal));
  x = b.select(isSubnormal, b.mul(x, lanes.number(format.subnormalScale)), x);
  Value offset = arith::SubIOp::create(b, lanes.toBits(x),
                                       lanes.integer(format.halfRootBits));
  Value k =
      arith::ShRSIOp::create(b, offset, lanes.integer(format.mantissaBits));
  Value fraction = arith::AndIOp::create(
      b, offset, lanes.integer((int64_t(1) << format.mantissaBits) - 1));
  Value m = lanes.fromBits(
      arith::AddIOp::create(b, fraction, lanes.integer(format.halfRootBits)));
  k = arith::SubIOp::create(b, k,
                            b.select(isSubnormal,
                                     lanes.integer(format.subnormalShift),
                                     lanes.integer(0)));
  // An integer added to magic's bits is a float addition without conversion.
  Value shifted =
      lanes.fromBits(arith::AddIOp::create(b, k, lanes.magicBits()));
  return {b.sub(shifted, lanes.number(format.magic)), m};
}

Value dtc::kernel::buildLog(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  auto [k, m] = splitExponent(lanes, x);
  // log m = f - (f²/2 - s (f²/2 + R)), with f = m - 1, s = f / (2 + f): the
  // large part f stays exact.
  Value f = b.sub(m, lanes.number(1));
  Value s = b.div(f, b.add(f, lanes.number(2)));
  Value z = b.mul(s, s);
  Value series = b.mul(z, lanes.polynomial(lanes.format.logTerms, z));
  Value halfSquare = b.mul(b.mul(f, f), lanes.number(0.5));
  Value low = b.fma(k, lanes.number(lanes.format.ln2Low),
                    b.mul(s, b.add(halfSquare, series)));
  Value result = b.fma(k, lanes.number(lanes.format.ln2High),
                       b.sub(f, b.sub(halfSquare, low)));
  using Predicate = arith::CmpFPredicate;
  Value zero = lanes.number(0);
  Value infinity = lanes.number(std::numeric_limits<double>::infinity());
  Value nan = lanes.number(std::numeric_limits<double>::quiet_NaN());
  result = b.select(b.compare(Predicate::OEQ, x, infinity), x, result);
  result =
      b.select(b.compare(Predicate::OEQ, x, zero),
               lanes.number(-std::numeric_limits<double>::infinity()), result);
  // Unordered or below: a NaN gives a NaN, too.
  return b.select(b.compare(Predicate::ULT, x, zero), nan, result);
}
