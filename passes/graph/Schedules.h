// Learning rates as functions of the step, in graph ops.
#pragma once

#include "dialects/graph/GradientMaker.h"

namespace dtc::graph {

// Whether the rate changes with the step.
bool isSchedule(mlir::Attribute rate);

// A scalar constant of the element type.
mlir::Value makeNumber(Maker &maker, mlir::Type element, double value);

// The learning rate that `rate`, a number or a schedule, gives at `step`, a
// scalar i64 (null is fine for a number), as a scalar of `element`, f32 or f64.
// A step counts exactly in f32 up to 2^24.
mlir::Value buildRate(Maker &maker, mlir::Attribute rate, mlir::Value step,
                      mlir::Type element);

} // namespace dtc::graph
