// Philox 4x32-10, the counter-based generator of Salmon et al. (SC 2011): a
// function from (key, counter) to 128 random bits. No state, so value i of a
// tensor does not depend on who computes it, or when.
#pragma once

#include <array>
#include <cstdint>

namespace dtc {

using PhiloxBlock = std::array<uint32_t, 4>;

inline PhiloxBlock philox(std::array<uint32_t, 2> key, PhiloxBlock counter) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * counter[0];
    uint64_t b = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key[1], uint32_t(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// 52 bits of two words as a double in (0, 1); one more bit would round to 1.
inline double openUnit(uint32_t high, uint32_t low) {
  uint64_t bits = (uint64_t(high) << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

} // namespace dtc
