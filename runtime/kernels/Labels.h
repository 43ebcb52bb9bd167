// Labels: integers that name a class of [0, classes).
#pragma once

#include "runtime/kernels/Elements.h"
#include "runtime/kernels/ReferenceKernels.h"

namespace dtc {

/// INVALID_ARGUMENT "op: …" at the first label that is no class. `labels` hold
/// integers.
Status checkLabels(const std::string &op, const TensorRef &labels,
                   int64_t classes);

} // namespace dtc
