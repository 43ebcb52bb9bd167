// Tensor: a dense row-major tensor that owns its bytes, as it crosses between
// rooms (feeds, fetches, saved variables).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/ElementType.h"

namespace dtc {

struct Tensor {
  ElementType element = ElementType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes; // product of the shape times the element's size

  friend bool operator==(const Tensor &, const Tensor &) = default;
};

} // namespace dtc
