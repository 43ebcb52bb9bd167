// PlaceByCost: the policy `cost` for in-graph placements.
#pragma once

#include "passes/dist/Variables.h"

namespace dtc::dist {

/// Before dist-place, gives a wish (and the reason for it) to every variable
/// and op of the module, in mode in-graph, that has none or names no task: the
/// task that CostPolicy chooses by the costs and rates of
/// dialects/graph/Cost.h. The first entry that updates variables, else the
/// first, decides where variables are. `memoryBytes`: of each task; 0: enough.
/// Fails, with a diagnostic, in mode between-graph, and if no placement was
/// found that fits.
mlir::LogicalResult placeByCost(mlir::ModuleOp module,
                                const Variables &variables,
                                int64_t memoryBytes);

} // namespace dtc::dist
