// NumPy broadcasting: where in an operand lies the element that belongs to
// element i of the result.
#pragma once

#include "runtime/kernels/KernelCall.h"

namespace dtc {

/// Whether `from` broadcasts to `to`: aligned at the right, each dimension
/// equal or 1.
bool broadcasts(const Shape &from, const Shape &to);

/// The shape that both broadcast to, or nothing.
std::optional<Shape> commonShape(const Shape &a, const Shape &b);

/// broadcasts(from, to) must hold.
class BroadcastIndex {
public:
  BroadcastIndex(const Shape &from, const Shape &to);
  int64_t operator()(int64_t resultIndex) const {
    if (isIdentity_)
      return resultIndex;
    int64_t index = 0;
    for (const Dim &dim : dims_) // innermost first
      index += resultIndex % dim.size * dim.stride, resultIndex /= dim.size;
    return index;
  }

private:
  struct Dim {
    int64_t size, stride;
  };
  bool isIdentity_;
  std::vector<Dim> dims_;
};

} // namespace dtc
