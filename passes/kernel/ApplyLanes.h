// The optimizers' apply ops and replica_mean on lanes.
#ifndef DTC_PASSES_KERNEL_APPLYLANES_H
#define DTC_PASSES_KERNEL_APPLYLANES_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// Whether buildApply() knows the op.
bool hasApplyLanes(mlir::Operation *op);

/// The lanes of each result before its rounding, from those of the operands.
llvm::SmallVector<mlir::Value> buildApply(LaneBuilder &b, mlir::Operation *op,
                                          mlir::ValueRange operands);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_APPLYLANES_H
