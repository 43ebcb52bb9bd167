// The canonical reduction tree (DESIGN §7), as code: blocks of 4096 elements;
// in a block 16 lanes, lane l combining elements l, l + 16, … in order from
// the identity; lanes l and l + 8, l + 4, l + 2, l + 1 combined; block results
// combined in order, starting with the first block's. The order depends on the
// length alone.
//
// runtime/kernels/CanonicalTree.h is the same tree in C++; a test holds the
// two together.
#ifndef DTC_PASSES_KERNEL_TREE_H
#define DTC_PASSES_KERNEL_TREE_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

struct Tree {
  int64_t length; // >= 1
  /// Of the lanes' scalar type. Combining with it must not change a lane.
  mlir::Value identity;
  llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine;
};

/// One result; the tree's 16 lanes are a vector's. load(index, width) gives
/// elements [index, index + width).
mlir::Value
reduceAlong(LaneBuilder &b, const Tree &tree,
            llvm::function_ref<mlir::Value(mlir::Value, int64_t)> load);

/// `width` results side by side, one in each lane; the tree's 16 lanes are 16
/// vectors. load(index) gives element `index` of every result.
mlir::Value reduceAcross(LaneBuilder &b, const Tree &tree, int64_t width,
                         llvm::function_ref<mlir::Value(mlir::Value)> load);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_TREE_H
