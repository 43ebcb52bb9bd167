#include "runtime/kernels/Broadcast.h"

#include <algorithm>

using namespace dtc;

std::optional<Shape> dtc::commonShape(const Shape &a, const Shape &b) {
  const Shape &longer = a.size() >= b.size() ? a : b;
  const Shape &shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  size_t offset = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t &dim = result[offset + i];
    if (dim != shorter[i] && dim != 1 && shorter[i] != 1)
      return std::nullopt;
    if (dim == 1)
      dim = shorter[i];
  }
  return result;
}

bool dtc::broadcasts(const Shape &from, const Shape &to) {
  return commonShape(from, to) == to;
}

BroadcastIndex::BroadcastIndex(const Shape &from, const Shape &to)
    : isIdentity_(from == to) {
  int64_t stride = 1;
  for (size_t i = 0; i < to.size(); ++i) {
    int64_t size = to[to.size() - 1 - i];
    bool isBroadcast = i >= from.size() || from[from.size() - 1 - i] != size;
    dims_.push_back({size, isBroadcast ? 0 : stride});
    if (i < from.size())
      stride *= from[from.size() - 1 - i];
  }
}
