// BFloat16: the upper half of an f32, the one way to round to it, and how
// whole tensors become half as long and whole again.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dtc {

struct BFloat16 {
  uint16_t bits;
};

/// Exact.
inline float bfloatToFloat(BFloat16 value) {
  return std::bit_cast<float>(uint32_t(value.bits) << 16);
}
/// Round to nearest even; a NaN stays a (quiet) NaN.
inline BFloat16 floatToBFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  // What is added could carry a NaN of low bits into an infinity.
  bool isNan = (bits & 0x7fffffff) > 0x7f800000;
  uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  return {uint16_t((isNan ? bits | 0x400000 : rounded) >> 16)};
}

/// Rounds the f32 elements of `from` into `to`, which has half as many bytes
/// and lies elsewhere. Neither need be aligned.
void packBFloats(std::span<const std::byte> from, std::span<std::byte> to);

/// Where in an f32 tensor its packed elements have to arrive: its latter half.
std::span<std::byte> packedPart(std::span<std::byte> tensor);
/// Makes f32 elements of the bf16 ones in packedPart(tensor), in place.
void unpackBFloats(std::span<std::byte> tensor);

} // namespace dtc
