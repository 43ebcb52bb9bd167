// EdgeOrder: an entry's edges in the order in which data flows.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/plan/plan.pb.h"

namespace dtc::tool {

/// All edges of `entry` (of a checked and proven plan), each behind those that
/// its value is computed from, over all tasks and activations of one step.
/// Linear in the number of instructions.
std::vector<uint32_t> edgesInDataOrder(const proto::Entry &entry);

} // namespace dtc::tool
