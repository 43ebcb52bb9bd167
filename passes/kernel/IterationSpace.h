// IterationSpace: the loop nest over a kernel's output elements, with as few
// dimensions as the kernel's operands allow.
//
// Outer dimensions are walked as one linear `row` number; the innermost one is
// walked in vectors of `columns`. An operand is read with a stride per
// dimension; 0 where it is broadcast.
#ifndef DTC_PASSES_KERNEL_ITERATIONSPACE_H
#define DTC_PASSES_KERNEL_ITERATIONSPACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace dtc::kernel {

using Strides = llvm::SmallVector<int64_t, 4>;

/// Row-major strides of `shape`, 0 for dimensions of size 1.
Strides denseStrides(llvm::ArrayRef<int64_t> shape);

/// Strides over `to` of an operand of shape `from` that broadcasts to it: 0 in
/// new dimensions and in those that are repeated.
Strides broadcastStrides(llvm::ArrayRef<int64_t> from,
                         llvm::ArrayRef<int64_t> to);

struct IterationSpace {
  /// Outermost first; at least one.
  llvm::SmallVector<int64_t, 4> sizes;
  /// One for each operand, as long as `sizes`.
  llvm::SmallVector<Strides> strides;

  int64_t rows() const;
  int64_t columns() const { return sizes.back(); }
  int64_t count() const { return rows() * columns(); }
};

/// Merges neighbouring dimensions of `shape` that every operand walks as one.
/// With `keepColumns` the last dimension stays as it is.
IterationSpace collapse(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<Strides> strides, bool keepColumns);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_ITERATIONSPACE_H
