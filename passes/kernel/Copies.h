// Ops that only move elements, as lists of strided copies: transpose, slices,
// pads, tile, concat, stack, split, unstack, gather.
//
// The blocks of an op are disjoint and cover its results, so that they may be
// written in any order and on any threads.
#ifndef DTC_PASSES_KERNEL_COPIES_H
#define DTC_PASSES_KERNEL_COPIES_H

#include "dialects/graph/Slices.h"
#include "mlir/IR/Operation.h"
#include "passes/kernel/IterationSpace.h"

namespace dtc::kernel {

/// Places of a tensor: a box of them, put together dimension by dimension.
struct Walk {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> sizes;
  Strides strides;

  /// `range` of a dimension whose elements lie `stride` apart.
  void add(const graph::SliceRange &range, int64_t stride);
};

/// Unlike denseStrides, no dimension's is 0.
Strides rowMajor(llvm::ArrayRef<int64_t> shape);

/// A box of elements of a result, each the copy of an element of an operand.
/// The element at place p of the box lies at offset + sum of p[i] * strides[i].
struct CopyBlock {
  mlir::Value result;
  mlir::Value source; // null: every element is the op's fill
  llvm::SmallVector<int64_t, 4> sizes;
  int64_t resultOffset = 0, sourceOffset = 0;
  Strides resultStrides, sourceStrides; // may be negative, or 0
  Strides indexStrides;                 // over the op's indices
};

struct Copies {
  llvm::SmallVector<CopyBlock, 0> blocks;
  /// Elements that no operand gives.
  double fill = 0;
  /// If not null: each element of an operand lies `stride` times an index
  /// further on. An index from `limit` on, or a negative one, reads zeros.
  mlir::Value indices;
  int64_t indexLimit = 0, indexStride = 0;
};

/// Whether copiesOf knows the op. Its tensors must not be empty.
bool isMove(mlir::Operation *op);
Copies copiesOf(mlir::Operation *op);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_COPIES_H
