// mirror_pad_grad: each element of dx is the sum of the elements of dy that
// mirror it. dx is cut into regions where these are equally many.
#ifndef DTC_PASSES_KERNEL_MIRRORSUMS_H
#define DTC_PASSES_KERNEL_MIRRORSUMS_H

#include "passes/kernel/Copies.h"

namespace dtc::kernel {

struct MirrorRegion {
  Walk dx;
  /// Summands of each element, in the order in which dy holds them. Along the
  /// last dimension they lie in order, or in reverse.
  llvm::SmallVector<Walk> dy;
};

/// Whether it is a mirror_pad_grad that few regions and summands make up.
bool isMirrorSum(mlir::Operation *op);
/// The regions of a mirror_pad_grad. They are disjoint and cover dx.
llvm::SmallVector<MirrorRegion, 0> mirrorRegions(mlir::Operation *op);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_MIRRORSUMS_H
