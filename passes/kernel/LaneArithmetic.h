// Exact element-wise arithmetic on lanes: what LaneOps.cpp is made of.
// Functions take the element type where signless lanes do not tell.
#ifndef DTC_PASSES_KERNEL_LANEARITHMETIC_H
#define DTC_PASSES_KERNEL_LANEARITHMETIC_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// graph.cast, without rounding to the element type. LaneCasts.cpp
mlir::Value buildCast(LaneBuilder &b, mlir::Value x, mlir::Type from,
                      mlir::Type to);

/// A condition (i1 lanes) as the i8 lanes of the element type i1, and back.
mlir::Value toBoolean(LaneBuilder &b, mlir::Value condition);
mlir::Value isFalse(LaneBuilder &b, mlir::Value boolean);

/// x < y, as a condition.
mlir::Value buildLess(LaneBuilder &b, bool isUnsigned, mlir::Value x,
                      mlir::Value y);
/// One of the six comparisons, as a boolean.
mlir::Value buildComparison(LaneBuilder &b, mlir::Operation *op,
                            mlir::Type element, mlir::Value x, mlir::Value y);

// Integers: n / 0 is 0, the least over -1 wraps; n modulo 0 is n.
mlir::Value buildDiv(LaneBuilder &b, mlir::Type element, mlir::Value x,
                     mlir::Value y);
mlir::Value buildFloorDiv(LaneBuilder &b, mlir::Type element, mlir::Value x,
                          mlir::Value y);
/// Integers only.
mlir::Value buildFloorMod(LaneBuilder &b, mlir::Type element, mlir::Value x,
                          mlir::Value y);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEARITHMETIC_H
