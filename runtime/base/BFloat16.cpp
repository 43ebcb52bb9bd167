#include "runtime/base/BFloat16.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace dtc {
namespace {
constexpr size_t blockElements = 64; // that lie in registers and on the stack
} // namespace

void packBFloats(std::span<const std::byte> from, std::span<std::byte> to) {
  assert(from.size() == 2 * to.size() && "f32 becomes bf16");
  size_t elements = to.size() / sizeof(BFloat16);
  float wide[blockElements];
  BFloat16 narrow[blockElements];
  for (size_t i = 0; i < elements; i += blockElements) {
    size_t count = std::min(blockElements, elements - i);
    std::memcpy(wide, &from[i * sizeof(float)], count * sizeof(float));
    for (size_t k = 0; k < count; ++k)
      narrow[k] = floatToBFloat(wide[k]);
    std::memcpy(&to[i * sizeof(BFloat16)], narrow, count * sizeof(BFloat16));
  }
}

std::span<std::byte> packedPart(std::span<std::byte> tensor) {
  return tensor.last(tensor.size() / 2);
}

// From the front: of n elements the first i need 4i bytes, and what is packed
// behind them begins at 2n + 2i, which is no less.
void unpackBFloats(std::span<std::byte> tensor) {
  std::span<std::byte> packed = packedPart(tensor);
  size_t elements = packed.size() / sizeof(BFloat16);
  float wide[blockElements];
  BFloat16 narrow[blockElements];
  for (size_t i = 0; i < elements; i += blockElements) {
    size_t count = std::min(blockElements, elements - i);
    std::memcpy(narrow, &packed[i * sizeof(BFloat16)],
                count * sizeof(BFloat16));
    for (size_t k = 0; k < count; ++k)
      wide[k] = bfloatToFloat(narrow[k]);
    std::memcpy(&tensor[i * sizeof(float)], wide, count * sizeof(float));
  }
}

} // namespace dtc
