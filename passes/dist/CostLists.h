// CostLists: placements that look at each op once, to begin a search with.
#pragma once

#include "passes/dist/CostPolicy.h"

namespace dtc::dist {

/// Items along paths that have no op in common: the longest way to the end
/// first, each op goes on to the user with the longest way that no other op has
/// gone on to. Fixed items are left out.
std::vector<std::vector<size_t>> chainsOf(const CostProblem &problem);

/// Takes the ops by their way to the end, the longest first, each to the device
/// where it is done first. Edges count `caution` times: what is computed
/// elsewhere often has to come back, which a list does not see. Sources (ops
/// without operands) whose item has no device yet wait for their first user: a
/// variable goes where it is needed. Returns the device of each item.
std::vector<size_t> placeByLists(const CostProblem &problem, double caution);

} // namespace dtc::dist
