#include "dialects/graph/Slices.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace dtc::graph;

// A position as NumPy reads it, between `low` and `high`.
static int64_t clampPosition(int64_t position, int64_t dim, int64_t low,
                             int64_t high) {
  if (position < 0)
    position = position < -dim ? low : position + dim;
  return std::clamp(position, low, high);
}

static SliceRange resolveRange(int64_t dim, int64_t begin, int64_t end,
                               int64_t stride) {
  bool isForward = stride > 0;
  int64_t low = isForward ? 0 : -1, high = isForward ? dim : dim - 1;
  int64_t first = clampPosition(begin, dim, low, high);
  int64_t last = clampPosition(end, dim, low, high);
  int64_t distance = isForward ? last - first : first - last;
  // A longer stride than the dimension takes one element, whatever it is.
  int64_t step = stride < -dim || stride > dim ? dim + 1 : std::abs(stride);
  int64_t size = distance > 0 ? (distance + step - 1) / step : 0;
  return {size ? first : 0, size, isForward ? step : -step};
}

llvm::SmallVector<SliceRange> dtc::graph::resolveSlice(
    llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> begin,
    llvm::ArrayRef<int64_t> end, llvm::ArrayRef<int64_t> strides) {
  llvm::SmallVector<SliceRange> ranges;
  for (auto [dim, from, to, stride] :
       llvm::zip_equal(shape, begin, end, strides))
    ranges.push_back(resolveRange(dim, from, to, stride));
  return ranges;
}
