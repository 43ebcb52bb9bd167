// PlanMismatch: the first place where a plan is not the one that its graph and
// flags are compiled to.
#pragma once

#include <string>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// In words of the plan, with what the other plan has there; "" where the plans
/// compute the same in the same way. Variables, edges and data first, then
/// instructions by task, then when they run, where bytes lie, and members of
/// the file. Lines of texts, names of nodes and reasons do not count.
std::string firstMismatch(const Plan &plan, const Plan &anew,
                          const std::string &entry);

} // namespace dtc::tool
