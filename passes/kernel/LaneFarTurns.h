// sin and cos of arguments so large that their quarter turns cannot be counted
// in floats: what LaneTrigonometry.cpp leaves over.
#ifndef DTC_PASSES_KERNEL_LANEFARTURNS_H
#define DTC_PASSES_KERNEL_LANEFARTURNS_H

#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// quarters pi/2 + rest, |rest| <= pi/4 or little more: lanes of i64, of which
/// the last two bits count, and of f64.
struct Turn {
  mlir::Value rest, quarters;
};

/// sin of a turn, with the digits of f64 or of f32. LaneTrigonometry.cpp
mlir::Value buildSineOf(LaneBuilder &b, Turn turn, bool isDouble);

/// `near`, with sin(x + quarters pi/2) where |x| >= 2^50; f64 lanes. One branch
/// where no lane is as large; else a call of a function of the kernel's module.
mlir::Value replaceFarSines(LaneBuilder &b, mlir::Value x, mlir::Value near,
                            int64_t quarters);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LANEFARTURNS_H
