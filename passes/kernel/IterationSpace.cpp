#include "passes/kernel/IterationSpace.h"

#include "llvm/ADT/STLExtras.h"

using namespace dtc::kernel;
using llvm::ArrayRef;

Strides dtc::kernel::denseStrides(ArrayRef<int64_t> shape) {
  Strides strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = shape[i] == 1 ? 0 : stride;
    stride *= shape[i];
  }
  return strides;
}

Strides dtc::kernel::broadcastStrides(ArrayRef<int64_t> from,
                                      ArrayRef<int64_t> to) {
  Strides strides(to.size() - from.size(), 0);
  // A dimension of size 1 has stride 0 already, be it repeated or not.
  llvm::append_range(strides, denseStrides(from));
  return strides;
}

int64_t IterationSpace::rows() const {
  int64_t rows = 1;
  for (int64_t size : llvm::drop_end(sizes))
    rows *= size;
  return rows;
}

namespace {
/// Appends dimensions from the outermost to the innermost.
struct Collapser {
  IterationSpace space;

  /// Whether every operand walks (last, new) as one dimension.
  bool canMerge(int64_t size, ArrayRef<int64_t> strides) const {
    return llvm::all_of(llvm::zip(space.strides, strides), [&](auto pair) {
      auto &[of, stride] = pair;
      return of.back() == stride * size;
    });
  }
  void append(int64_t size, ArrayRef<int64_t> strides, bool mayMerge) {
    if (mayMerge && !space.sizes.empty() && canMerge(size, strides)) {
      space.sizes.back() *= size;
      for (auto [of, stride] : llvm::zip(space.strides, strides))
        of.back() = stride;
      return;
    }
    space.sizes.push_back(size);
    for (auto [of, stride] : llvm::zip(space.strides, strides))
      of.push_back(stride);
  }
};
} // namespace

IterationSpace dtc::kernel::collapse(ArrayRef<int64_t> shape,
                                     ArrayRef<Strides> strides,
                                     bool keepColumns) {
  Collapser collapser;
  collapser.space.strides.resize(strides.size());
  llvm::SmallVector<int64_t> at(strides.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    bool isKept = keepColumns && i + 1 == shape.size();
    if (shape[i] == 1 && !isKept)
      continue;
    for (auto [stride, of] : llvm::zip(at, strides))
      stride = of[i];
    collapser.append(shape[i], at, !isKept);
  }
  if (collapser.space.sizes.empty())
    collapser.append(1, llvm::SmallVector<int64_t>(strides.size(), 0), false);
  return collapser.space;
}
