// KernelCost: what one launch of a kernel does, by its body and its types.
#pragma once

#include "dialects/graph/Cost.h"
#include "dialects/plan/Plan.h"

namespace dtc::plan {

/// Arithmetic of all ops of the body; bytes of what the kernel reads and
/// writes. Of a table the rows that it is asked for.
graph::OpCost costOfKernel(KernelOp kernel);

} // namespace dtc::plan
