// The canonical reduction tree (DESIGN §7): the order of every reduction but a
// matmul's, a function of the length alone.
//
// Blocks of 4096 elements. Within a block 16 lanes: lane l combines elements
// l, l + 16, l + 32, … in order, starting from the identity; then lanes are
// combined pairwise, l with l + 8, l + 4, l + 2, l + 1. Block results are
// combined in order, starting with the first block's.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace dtc {

inline constexpr int64_t kTreeBlock = 4096;
inline constexpr int64_t kTreeLanes = 16;

/// Reduces load(0) … load(length - 1); the identity when length is 0.
template <typename C, typename Combine, typename Load>
C reduceByTree(int64_t length, C identity, Combine combine, Load load) {
  C total = identity;
  for (int64_t begin = 0; begin < length; begin += kTreeBlock) {
    int64_t end = std::min(begin + kTreeBlock, length);
    std::array<C, kTreeLanes> lanes;
    lanes.fill(identity);
    for (int64_t i = begin; i < end; ++i) {
      C &lane = lanes[(i - begin) % kTreeLanes];
      lane = combine(lane, load(i));
    }
    for (int64_t half = kTreeLanes / 2; half > 0; half /= 2)
      for (int64_t l = 0; l < half; ++l)
        lanes[l] = combine(lanes[l], lanes[l + half]);
    total = begin == 0 ? lanes[0] : combine(total, lanes[0]);
  }
  return total;
}

} // namespace dtc
