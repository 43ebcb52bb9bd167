// What the functions on float lanes share: constants and bit tricks.
#ifndef DTC_PASSES_KERNEL_LANEFORMAT_H
#define DTC_PASSES_KERNEL_LANEFORMAT_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// What differs between f32 and f64.
struct Format {
  int64_t mantissaBits, exponentBias;
  double magic;           // 1.5 * 2^mantissaBits: adding it rounds to integer
  double ln2High, ln2Low; // ln 2; n * ln2High is exact for every exponent n
  double expLow, expHigh; // outside, exp is 0 or infinity
  int64_t halfRootBits;   // bits of sqrt(1/2)
  double smallestNormal, subnormalScale; // 2^subnormalShift
  int64_t subnormalShift;
  // exp(r) = 1 + r + r² (e[0] + e[1] r + …) on |r| <= ln(2)/2.
  llvm::ArrayRef<double> expTerms;
  // 2 atanh(s) = 2 s + s z (l[0] + l[1] z + …), z = s².
  llvm::ArrayRef<double> logTerms;
};

/// The format of f32 or f64.
const Format &formatOf(mlir::Type type);

/// Constants and bit tricks at the width and type of one value.
class Lanes {
public:
  Lanes(LaneBuilder &builder, mlir::Value like)
      : b(builder), width(widthOf(like)),
        type(mlir::getElementTypeOrSelf(like)), format(formatOf(type)),
        integerType(b.getIntegerType(type.getIntOrFloatBitWidth())) {}

  mlir::Value number(double value) { return b.number(type, value, width); }
  mlir::Value integer(int64_t value) {
    return b.integer(integerType, value, width);
  }
  mlir::Value toBits(mlir::Value value) {
    return mlir::arith::BitcastOp::create(b, b.lanes(integerType, width),
                                          value);
  }
  mlir::Value fromBits(mlir::Value bits) {
    return mlir::arith::BitcastOp::create(b, b.lanes(type, width), bits);
  }
  /// The bits of magic, to which small integers can be added.
  mlir::Value magicBits() { return toBits(number(format.magic)); }
  /// c[0] + c[1] x + …, by Horner's rule.
  mlir::Value polynomial(llvm::ArrayRef<double> terms, mlir::Value x) {
    mlir::Value sum = number(terms.back());
    for (double term : llvm::reverse(terms.drop_back()))
      sum = b.fma(sum, x, number(term));
    return sum;
  }
  /// 2^n for integer lanes n within the normal exponents.
  mlir::Value power(mlir::Value n) {
    mlir::Value biased =
        mlir::arith::AddIOp::create(b, n, integer(format.exponentBias));
    return fromBits(
        mlir::arith::ShLIOp::create(b, biased, integer(format.mantissaBits)));
  }

  /// The bits of the sign, everywhere else 0.
  mlir::Value signBit() { return toBits(number(-0.0)); }
  mlir::Value absolute(mlir::Value value) {
    mlir::Value rest = mlir::arith::XOrIOp::create(b, signBit(), integer(-1));
    return fromBits(mlir::arith::AndIOp::create(b, toBits(value), rest));
  }
  /// value, negated where the bits of `sign` have the sign bit.
  mlir::Value flipSign(mlir::Value value, mlir::Value sign) {
    mlir::Value bit = mlir::arith::AndIOp::create(b, sign, signBit());
    return fromBits(mlir::arith::XOrIOp::create(b, toBits(value), bit));
  }

  LaneBuilder &b;
  int64_t width;
  mlir::Type type;
  const Format &format;
  mlir::Type integerType;
};

/// exp(x) = 2^exponent (1 + rest), rest = exp(r) - 1 with |r| <= ln(2)/2; the
/// exponent in integer lanes. x must be within [expLow, expHigh] or NaN.
struct ExpParts {
  mlir::Value exponent, rest;
};
ExpParts splitExp(Lanes &lanes, mlir::Value x);

/// A positive finite x = 2^k m with m in [sqrt(1/2), sqrt(2)); k as a float.
struct ExponentParts {
  mlir::Value k, m;
};
ExponentParts splitExponent(Lanes &lanes, mlir::Value x);

/// f on f64 lanes; f32 lanes go there and back, rounded once.
mlir::Value inDouble(LaneBuilder &b, mlir::ValueRange operands,
                     llvm::function_ref<mlir::Value(mlir::ValueRange)> f);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEFORMAT_H
