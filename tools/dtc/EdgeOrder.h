// EdgeOrder: an entry's edges in the order in which data flows.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// All edges of `entry` of a proven plan, each behind those that its value is
/// computed from, over all tasks and activations of one step. Of several such
/// orders it is that of the plan.
std::vector<uint32_t> edgesInDataOrder(const Plan &plan,
                                       const proto::Entry &entry);

} // namespace dtc::tool
