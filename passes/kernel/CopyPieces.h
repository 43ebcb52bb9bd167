// How the blocks of an op that moves elements are walked: cut into units of
// some thousand elements. An index of the kernel's range is a unit.
#ifndef DTC_PASSES_KERNEL_COPYPIECES_H
#define DTC_PASSES_KERNEL_COPYPIECES_H

#include "passes/kernel/Copies.h"
#include "passes/kernel/Fusion.h"
#include <optional>

namespace dtc::kernel {

enum Side : unsigned { kResult, kSource, kIndex };

/// A block with as few dimensions as possible, cut into units.
struct Piece {
  CopyBlock block;
  IterationSpace space; // strides of each Side
  /// Elements of a dimension in one unit.
  llvm::SmallVector<int64_t, 4> steps;
  /// The dimension along which the source lies in order, where it does not
  /// along the columns: both are walked together, in square tiles.
  std::optional<size_t> tiled;

  size_t columns() const { return space.sizes.size() - 1; }
  int64_t chunks(size_t dim) const;
  int64_t units() const;
};

/// The pieces of every result that others read.
llvm::SmallVector<Piece, 0> piecesOf(const Copies &copies,
                                     const KernelForm &form);

/// How many elements of a line of 64 bytes.
int64_t lineLength(mlir::Type element);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_COPYPIECES_H
