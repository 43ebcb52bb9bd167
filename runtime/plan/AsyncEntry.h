// What update async asks of an entry beyond what update sync does.
#pragma once

#include <optional>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc {

/// The tasks that apply pushes, in the plan's order.
std::vector<TaskId> applyTasks(const Plan &plan, const proto::Entry &entry);

/// The task in whose order all others apply pushes: the first that does, where
/// a push's apply on one task takes a value from its apply on another (a
/// learning rate, a norm over all gradients). Two tasks that went each in its
/// own order could wait for each other. Nothing where all are independent.
std::optional<TaskId> applyLeader(const Plan &plan, const proto::Entry &entry);

} // namespace dtc
