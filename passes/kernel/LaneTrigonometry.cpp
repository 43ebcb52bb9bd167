// sin and cos. x = n pi/2 + r: pi/2 in three parts, the first product and its
// difference from x exact by FMA, so that r is right for |x| < 2^50 (f32 lanes
// do with two parts). LaneFarTurns.cpp takes the lanes beyond.
#include "passes/kernel/LaneFarTurns.h"
#include "passes/kernel/LaneFormat.h"
#include "passes/kernel/LaneMath.h"

using namespace mlir;
using namespace dtc::kernel;

// sin r = r + r z (…), cos r = 1 - z/2 + z² (…), z = r², |r| <= pi/4: Taylor
// series, whose first missing terms are below 1e-17; below 1e-11 with the five
// that f32 takes.
static constexpr double kSine[] = {-1 / 6.0,
                                   1 / 120.0,
                                   -1 / 5040.0,
                                   1 / 362880.0,
                                   -1 / 39916800.0,
                                   1 / 6227020800.0,
                                   -1 / 1307674368000.0,
                                   1 / 355687428096000.0};
static constexpr double kCosine[] = {
    1 / 24.0,        -1 / 720.0,         1 / 40320.0,         -1 / 3628800.0,
    1 / 479001600.0, -1 / 87178291200.0, 1 / 20922789888000.0};

Value dtc::kernel::buildSineOf(LaneBuilder &b, Turn turn, bool isDouble) {
  Lanes lanes(b, turn.rest);
  ArrayRef<double> sineTerms(kSine), cosineTerms(kCosine);
  if (!isDouble) {
    sineTerms = sineTerms.take_front(5);
    cosineTerms = cosineTerms.take_front(5);
  }
  Value r = turn.rest, z = b.mul(r, r);
  Value sine = b.fma(b.mul(r, z), lanes.polynomial(sineTerms, z), r);
  // The sum above is +0 for -0; elsewhere the signs are the same already.
  Value sign = arith::AndIOp::create(b, lanes.toBits(r), lanes.signBit());
  sine = lanes.fromBits(arith::OrIOp::create(b, lanes.toBits(sine), sign));
  Value cosine = b.fma(b.mul(z, z), lanes.polynomial(cosineTerms, z),
                       b.fma(z, lanes.number(-0.5), lanes.number(1)));
  Value isOdd =
      b.compare(arith::CmpIPredicate::ne,
                arith::AndIOp::create(b, turn.quarters, lanes.integer(1)),
                lanes.integer(0));
  Value flip = arith::ShLIOp::create(b, turn.quarters, lanes.integer(62));
  return lanes.flipSign(b.select(isOdd, cosine, sine), flip);
}

/// sin(x + quarters pi/2) of f64 lanes, which hold f32 unless `isDouble`.
static Value buildWave(LaneBuilder &b, Value x, int64_t quarters,
                       bool isDouble) {
  Lanes lanes(b, x);
  Value magic = lanes.number(lanes.format.magic);
  Value shifted = b.fma(x, lanes.number(0x1.45f306dc9c883p-1), magic);
  Value n = b.sub(shifted, magic);
  Value r = b.fma(n, lanes.number(-0x1.921fb54442d18p+0), x);
  // All parts are positive: -0 stays -0.
  double middle = isDouble ? 0x1.1a62633145c06p-54 : 0x1.1a62633145c07p-54;
  r = b.fma(n, lanes.number(-middle), r);
  if (isDouble)
    r = b.fma(n, lanes.number(-0x1.c1cd129024e09p-107), r);
  Value whole =
      arith::SubIOp::create(b, lanes.toBits(shifted), lanes.magicBits());
  whole = arith::AddIOp::create(b, whole, lanes.integer(quarters));
  Value near = buildSineOf(b, {r, whole}, isDouble);
  return replaceFarSines(b, x, near, quarters);
}

static Value buildWave(LaneBuilder &b, Value x, int64_t quarters) {
  bool isDouble = getElementTypeOrSelf(x).isF64();
  return inDouble(b, x, [&](ValueRange in) {
    return buildWave(b, in[0], quarters, isDouble);
  });
}

Value dtc::kernel::buildSin(LaneBuilder &b, Value x) {
  return buildWave(b, x, 0);
}

Value dtc::kernel::buildCos(LaneBuilder &b, Value x) {
  return buildWave(b, x, 1);
}
