// OneDevice: a graph that is being spread over tasks, as one device computes
// it. How verify asks what the texts of phase `place` are worth before anything
// crosses an edge.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace dtc::tool {

/// Takes back what dist-assign-jobs noted: the module is of phase `rewrite`
/// again, variables in parts stay so.
void forgetJobs(mlir::ModuleOp module);

/// Brings all that `module` computes to one device; it is of phase `place`, or
/// on its way there and past dist-insert-aggregation. Where workers are
/// replicas of one text, the text is repeated for each of them, and what they
/// give to an accumulator is combined in the graph. With update async it
/// remains one replica's, which applies its own push. Fails, silently, where a
/// value is taken that nobody gives.
mlir::LogicalResult bringToOneDevice(mlir::ModuleOp module);

} // namespace dtc::tool
