// exp and log in every lane: our own polynomials, so that a generated kernel
// gives the same bits on every CPU (no libm, no vector library). f32 lanes
// within 2 ulp, f64 within 2 ulp of the true value; subnormals, infinities,
// zeros and NaNs as IEEE 754 has them.
#ifndef DTC_PASSES_KERNEL_LANEMATH_H
#define DTC_PASSES_KERNEL_LANEMATH_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// e to the x; lanes of f32 or f64.
mlir::Value buildExp(LaneBuilder &b, mlir::Value x);
/// Natural logarithm: -infinity at 0, NaN below.
mlir::Value buildLog(LaneBuilder &b, mlir::Value x);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEMATH_H
