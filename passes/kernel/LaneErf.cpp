// erf and gelu. Near 0 erf is its series; elsewhere it comes from erfc, whose
// small values keep their digits.
#include "passes/kernel/LaneFormat.h"
#include "passes/kernel/LaneMath.h"

using namespace mlir;
using namespace dtc::kernel;

// (1 + 2x) exp(x²) erfc(x), x >= 0, in t = (x - 3.75) / (x + 3.75): Chebyshev
// interpolation of degree 24, computed with 50 digits; relative error 4e-16.
static constexpr double kScaledErfc[] = {
    0x1.3ccda0b5d5dc2p+0,   -0x1.1f367683f89a5p-3,  0x1.d5f294815a405p-9,
    0x1.510169d09665bp-4,   -0x1.bda9309a2949ap-4,  0x1.7a14188a9ce2ap-4,
    -0x1.e0d0fa6ddfe85p-5,  0x1.d0b0037d167a9p-6,   -0x1.3f603c398c6e7p-7,
    0x1.cc3a0e7d2165cp-10,  0x1.33fb2968e0631p-12,  -0x1.303fa4966d217p-12,
    0x1.b1439865c9af9p-15,  0x1.778b933b16fb5p-16,  -0x1.800077b5a9718p-17,
    -0x1.055686da79191p-20, 0x1.d6339f4f50b44p-20,  -0x1.eb80375db3d09p-25,
    -0x1.15be419e4454ep-22, 0x1.8fa9fd0a96a21p-26,  0x1.4c37f382cc6a8p-25,
    -0x1.014cd52333986p-28, -0x1.638dc5e9ea2cbp-28, 0x1.561b0adc496c0p-32,
    0x1.d37436dd23dfdp-32};

// 2/sqrt(pi) (-1)^n / (n! (2n + 1)): erf x = x (e[0] + e[1] x² + …), |x| <=
// 1/2.
static constexpr double kErf[] = {
    0x1.20dd750429b6dp+0,   -0x1.812746b0379e7p-2,  0x1.ce2f21a042be2p-4,
    -0x1.b82ce31288b51p-6,  0x1.565bcd0e6a53fp-8,   -0x1.c02db40040b85p-11,
    0x1.f9a326f9b89b7p-14,  -0x1.f4d25c3e0c2ebp-17, 0x1.b9e6c9dc651a2p-20,
    -0x1.5f742ec43e71ap-23, 0x1.fcc5720624c1cp-27,  -0x1.51d7181c5d36cp-30};

/// exp(-x²): x² = high + low, and exp(-low) is 1 - low.
static Value buildBell(Lanes &lanes, Value x) {
  LaneBuilder &b = lanes.b;
  Value high = b.mul(x, x);
  Value negative = arith::NegFOp::create(b, high);
  Value low = b.fma(x, x, negative);
  Value bell = buildExp(b, negative);
  return b.fma(bell, arith::NegFOp::create(b, low), bell);
}

/// erfc(x) of f64 lanes, x >= 0.
static Value buildUpperErfc(Lanes &lanes, Value x) {
  LaneBuilder &b = lanes.b;
  // Beyond 28 the result is 0; a NaN compares false and passes.
  Value most = lanes.number(28);
  x = b.select(b.compare(arith::CmpFPredicate::OGT, x, most), most, x);
  Value t = b.div(b.sub(x, lanes.number(3.75)), b.add(x, lanes.number(3.75)));
  Value scaled = lanes.polynomial(kScaledErfc, t);
  Value ratio = b.div(scaled, b.fma(x, lanes.number(2), lanes.number(1)));
  return b.mul(buildBell(lanes, x), ratio);
}

static Value buildDoubleErf(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  Value size = lanes.absolute(x);
  Value isSmall = b.compare(arith::CmpFPredicate::OLT, size, lanes.number(0.5));
  Value small = b.mul(x, lanes.polynomial(kErf, b.mul(x, x)));
  Value large = b.sub(lanes.number(1), buildUpperErfc(lanes, size));
  return b.select(isSmall, small, lanes.flipSign(large, lanes.toBits(x)));
}

static Value buildDoubleGelu(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  // x Phi(x) = x/2 erfc(-x / sqrt(2)).
  Value z = b.mul(x, lanes.number(-0.70710678118654752440));
  Value upper = buildUpperErfc(lanes, lanes.absolute(z));
  Value isBelow = b.compare(arith::CmpFPredicate::OLT, z, lanes.number(0));
  Value erfc = b.select(isBelow, b.sub(lanes.number(2), upper), upper);
  return b.mul(b.mul(lanes.number(0.5), x), erfc);
}

Value dtc::kernel::buildErf(LaneBuilder &b, Value x) {
  return inDouble(b, x,
                  [&](ValueRange in) { return buildDoubleErf(b, in[0]); });
}

Value dtc::kernel::buildGelu(LaneBuilder &b, Value x) {
  return inDouble(b, x,
                  [&](ValueRange in) { return buildDoubleGelu(b, in[0]); });
}

Value dtc::kernel::buildGeluByTanh(LaneBuilder &b, Value x) {
  Lanes lanes(b, x);
  Value cube = b.mul(b.mul(b.mul(lanes.number(0.044715), x), x), x);
  Value inner = b.mul(lanes.number(0.79788456080286535588), b.add(x, cube));
  // (1 + tanh u) / 2 = 1 / (1 + exp(-2u)), which does not cancel below 0.
  Value exp = buildExp(b, b.mul(lanes.number(-2), inner));
  return b.div(x, b.add(lanes.number(1), exp));
}
