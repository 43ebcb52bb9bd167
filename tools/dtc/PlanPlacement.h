// PlanPlacement: the placement of a plan as a text that one can edit.
#pragma once

#include "tools/dtc/Compiler.h"

namespace dtc::tool {

/// Made anew from the graph in `plan` (passes/dist/PlacementFile.h). Fails for
/// a plan that has no graph, which `compiler` reports, and for one that was
/// compiled from edited IR, whose graph gives another placement.
Result<std::string> placementOf(const Plan &plan, Compiler &compiler);

} // namespace dtc::tool
