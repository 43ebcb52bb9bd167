#include "runtime/kernels/Elements.h"

using namespace dtc;

float dtc::halfToFloat(Half half) {
  uint32_t sign = uint32_t(half.bits & 0x8000) << 16;
  uint32_t exponent = (half.bits >> 10) & 0x1f;
  uint32_t mantissa = half.bits & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) |
                                (mantissa << 13));
  // Subnormal: mantissa * 2^-24 is exact in float.
  float magnitude = float(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
}

Half dtc::floatToHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = uint16_t((bits >> 16) & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) // NaN: quiet, keeps the top of its payload
    return {uint16_t(sign | 0x7e00 | ((magnitude >> 13) & 0x3ff))};
  if (magnitude >= 0x47800000) // 65536 and more, infinity
    return {uint16_t(sign | 0x7c00)};
  if (magnitude < 0x38800000) {
    // Below the smallest normal half: adding 0.5 aligns the mantissa so that
    // the FPU rounds at bit 2^-24.
    float aligned = std::bit_cast<float>(magnitude) + 0.5f;
    return {uint16_t(sign | (std::bit_cast<uint32_t>(aligned) - 0x3f000000))};
  }
  // Rebias; the carry of the rounding may walk into the exponent, rightly.
  uint32_t odd = (magnitude >> 13) & 1;
  uint32_t half = (magnitude - (112u << 23) + 0xfff + odd) >> 13;
  return {uint16_t(sign | half)};
}
