// Seconds of a plan's kernels, by the cost of the ops in their bodies.
#pragma once

#include <vector>

#include "dialects/graph/Cost.h"
#include "tools/dtc/Prediction.h"

namespace dtc::tool {

/// Of each kernel: all that its body computes; its inputs and outputs alone
/// cross memory.
Result<std::vector<graph::OpCost>> kernelCosts(const Plan &plan);

/// The predictor of a program that has the compiler. With `calibrate` it times
/// the heaviest kernels for some tens of milliseconds, and scales the others by
/// what that showed.
Result<Prediction> predictPlan(const Plan::Ptr &plan, const proto::Entry &entry,
                               const PredictionRequest &request);

} // namespace dtc::tool
