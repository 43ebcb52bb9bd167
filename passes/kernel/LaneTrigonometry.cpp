// sin and cos. x = n pi/2 + r: pi/2 in two parts, the first product and its
// difference from x exact by FMA, so that r is right for |x| < 2^50. Beyond,
// where f64 knows no angle any more, r is 0.
#include "passes/kernel/LaneFormat.h"
#include "passes/kernel/LaneMath.h"

using namespace mlir;
using namespace dtc::kernel;

// sin r = r + r z (…), cos r = 1 - z/2 + z² (…), z = r², |r| <= pi/4: Taylor
// series, whose first missing term is below 1e-17.
static constexpr double kSine[] = {-1 / 6.0,
                                   1 / 120.0,
                                   -1 / 5040.0,
                                   1 / 362880.0,
                                   -1 / 39916800.0,
                                   1 / 6227020800.0,
                                   -1 / 1307674368000.0,
                                   1 / 355687428096000.0};
static constexpr double kCosine[] = {1 / 24.0,
                                     -1 / 720.0,
                                     1 / 40320.0,
                                     -1 / 3628800.0,
                                     1 / 479001600.0,
                                     -1 / 87178291200.0,
                                     1 / 20922789888000.0,
                                     -1 / 6402373705728000.0};

/// sin(x + quarters pi/2) of f64 lanes.
static Value buildWave(LaneBuilder &b, Value x, int64_t quarters) {
  using Predicate = arith::CmpFPredicate;
  Lanes lanes(b, x);
  Value magic = lanes.number(lanes.format.magic);
  Value shifted = b.fma(x, lanes.number(0x1.45f306dc9c883p-1), magic);
  Value n = b.sub(shifted, magic);
  Value r = b.fma(n, lanes.number(-0x1.921fb54442d18p+0), x);
  r = b.fma(n, lanes.number(-0x1.1a62633145c07p-54), r);
  Value isFar =
      b.compare(Predicate::OGE, lanes.absolute(x), lanes.number(0x1p50));
  r = b.select(isFar, b.sub(x, x), r); // NaN of an infinity
  Value z = b.mul(r, r);
  Value sine = b.fma(b.mul(r, z), lanes.polynomial(kSine, z), r);
  Value cosine = b.fma(b.mul(z, z), lanes.polynomial(kCosine, z),
                       b.fma(z, lanes.number(-0.5), lanes.number(1)));
  Value quadrant =
      arith::SubIOp::create(b, lanes.toBits(shifted), lanes.magicBits());
  quadrant = arith::AddIOp::create(b, quadrant, lanes.integer(quarters));
  Value isOdd = b.compare(arith::CmpIPredicate::ne,
                          arith::AndIOp::create(b, quadrant, lanes.integer(1)),
                          lanes.integer(0));
  Value sign = arith::ShLIOp::create(b, quadrant, lanes.integer(62));
  return lanes.flipSign(b.select(isOdd, cosine, sine), sign);
}

Value dtc::kernel::buildSin(LaneBuilder &b, Value x) {
  return inDouble(b, x, [&](ValueRange in) { return buildWave(b, in[0], 0); });
}

Value dtc::kernel::buildCos(LaneBuilder &b, Value x) {
  return inDouble(b, x, [&](ValueRange in) { return buildWave(b, in[0], 1); });
}
