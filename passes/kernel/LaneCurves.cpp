// The activation curves that exp makes: sigmoid, tanh, softplus, elu.
#include "passes/kernel/LaneFormat.h"
#include "passes/kernel/LaneMath.h"

using namespace mlir;
using namespace dtc::kernel;
using Predicate = arith::CmpFPredicate;

/// exp(x) - 1, right where x is near 0, for x from -1000 to 100 (f32: -80).
static Value buildExpm1(Lanes &lanes, Value x) {
  LaneBuilder &b = lanes.b;
  ExpParts parts = splitExp(lanes, x);
  Value power = lanes.power(parts.exponent);
  return b.fma(parts.rest, power, b.sub(power, lanes.number(1)));
}

/// log(1 + u) for u from 0 to 1: 2 atanh(s) with s = u / (2 + u) <= 1/3.
static Value buildLog1p(Lanes &lanes, Value u) {
  // 2/3, 2/5, …: each term has at most 1/9 of the last.
  static constexpr double kTerms[] = {
      2 / 3.0,  2 / 5.0,  2 / 7.0,  2 / 9.0,  2 / 11.0, 2 / 13.0,
      2 / 15.0, 2 / 17.0, 2 / 19.0, 2 / 21.0, 2 / 23.0, 2 / 25.0,
      2 / 27.0, 2 / 29.0, 2 / 31.0, 2 / 33.0, 2 / 35.0};
  LaneBuilder &b = lanes.b;
  Value s = b.div(u, b.add(u, lanes.number(2)));
  Value z = b.mul(s, s);
  ArrayRef<double> terms(kTerms);
  Value series =
      lanes.polynomial(lanes.type.isF32() ? terms.take_front(7) : terms, z);
  return b.fma(b.mul(s, z), series, b.add(s, s));
}

Value dtc::kernel::buildSigmoid(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  Value one = lanes.number(1);
  Value negative = arith::NegFOp::create(b, x);
  return b.div(one, b.add(one, buildExp(b, negative)));
}

Value dtc::kernel::buildTanh(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  // Beyond, the result is 1. A NaN compares false and passes.
  Value most = lanes.number(22), size = lanes.absolute(x);
  size = b.select(b.compare(Predicate::OGT, size, most), most, size);
  Value e = buildExpm1(lanes, b.add(size, size));
  Value result = b.div(e, b.add(e, lanes.number(2)));
  return lanes.flipSign(result, lanes.toBits(x));
}

Value dtc::kernel::buildSoftplus(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  Value zero = lanes.number(0);
  Value positive = b.select(b.compare(Predicate::OGT, x, zero), x, zero);
  Value negative = arith::NegFOp::create(b, lanes.absolute(x));
  return b.add(positive, buildLog1p(lanes, buildExp(b, negative)));
}

Value dtc::kernel::buildElu(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  // Below, the result is -1; above and at both zeros, x itself is.
  Value low = lanes.number(-60), zero = lanes.number(0);
  Value isAbove = b.compare(Predicate::OGE, x, zero);
  Value bounded = b.select(b.compare(Predicate::OLT, x, low), low, x);
  bounded = b.select(isAbove, zero, bounded);
  return b.select(isAbove, x, buildExpm1(lanes, bounded));
}
