// A square of elements in registers, transposed by shuffles.
#ifndef DTC_PASSES_KERNEL_TRANSPOSELANES_H
#define DTC_PASSES_KERNEL_TRANSPOSELANES_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// The side of a square that at most 16 registers hold: 16 elements of one
/// byte, 8 of 2 or 4, 4 of 8.
int64_t squareSide(int64_t elementBytes);

/// Element i of row j becomes element j of row i. There are as many rows, each
/// of as many lanes, as squareSide says.
void transposeSquare(LaneBuilder &b, llvm::MutableArrayRef<mlir::Value> rows,
                     int64_t elementBytes);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_TRANSPOSELANES_H
