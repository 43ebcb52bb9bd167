// Declared: whether a plan declares what its graph does. Seeded values stand in
// for data sets, so a run alone would not notice that a plan reads other rows.
#pragma once

#include <string>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// "" or the first thing that `entry` of `plan` declares otherwise than
/// `expected` of its oracle: an input's rows, a feed, an output, a variable,
/// how many blocks a step computes; or the first edge whose key, or whose
/// value, is not the one that it names.
std::string declaredDifference(const Plan &plan, const proto::Entry &entry,
                               const Plan &oracle,
                               const proto::Entry &expected);

} // namespace dtc::tool
