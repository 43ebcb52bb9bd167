// The numbers that an optimizer brings into a variable's elements.
#pragma once

#include "dialects/graph/Ops.h"

namespace dtc::graph {

// Checks that no number of `minimize` becomes infinite in the elements of
// `variable`, which it trains: learning rates of a schedule, what the optimizer
// takes, weight_decay, clip_by_global_norm. Reports the first that does.
mlir::LogicalResult checkNumbers(MinimizeOp minimize, VariableOp variable);

} // namespace dtc::graph
