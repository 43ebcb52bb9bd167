// Functions in every lane: our own polynomials, so that a generated kernel
// gives the same bits on every CPU (no libm, no vector library). Subnormals,
// infinities, zeros and NaNs are as IEEE 754 and C have them. Errors in units
// of the last place, measured by conformance/LaneMathTest.cpp and
// MathLanesTest.cpp.
#ifndef DTC_PASSES_KERNEL_LANEMATH_H
#define DTC_PASSES_KERNEL_LANEMATH_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// e to the x; lanes of f32 or f64, as for all that follow. Within 2.
mlir::Value buildExp(LaneBuilder &b, mlir::Value x);
/// Natural logarithm: -infinity at 0, NaN below. Within 2.
mlir::Value buildLog(LaneBuilder &b, mlir::Value x);

// LaneCurves.cpp: within 4.
mlir::Value buildSigmoid(LaneBuilder &b, mlir::Value x);
mlir::Value buildTanh(LaneBuilder &b, mlir::Value x);
mlir::Value buildSoftplus(LaneBuilder &b, mlir::Value x);
mlir::Value buildElu(LaneBuilder &b, mlir::Value x);

// LaneTrigonometry.cpp, LaneFarTurns.cpp: within 2, for every x.
mlir::Value buildSin(LaneBuilder &b, mlir::Value x);
mlir::Value buildCos(LaneBuilder &b, mlir::Value x);

// LaneErf.cpp: within 2; gelu of f64 within 10 above -2, within 256 to -12.
mlir::Value buildErf(LaneBuilder &b, mlir::Value x);
mlir::Value buildGelu(LaneBuilder &b, mlir::Value x);
mlir::Value buildGeluByTanh(LaneBuilder &b, mlir::Value x);

/// x to the y, within 4; every special case is C's. LanePower.cpp
mlir::Value buildPower(LaneBuilder &b, mlir::Value x, mlir::Value y);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEMATH_H
