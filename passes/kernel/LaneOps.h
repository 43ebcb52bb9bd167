// The element-wise graph ops on lanes.
#ifndef DTC_PASSES_KERNEL_LANEOPS_H
#define DTC_PASSES_KERNEL_LANEOPS_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// The lanes of each result of an element-wise `op` (Fusion.h), rounded to the
/// result's element type, from the lanes of its operands.
llvm::SmallVector<mlir::Value> buildElementwise(LaneBuilder &b,
                                                mlir::Operation *op,
                                                mlir::ValueRange operands);

/// Whether buildElementwise() knows the op.
bool hasLanes(mlir::Operation *op);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEOPS_H
