// From a plan's kernels to code for its targets.
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "runtime/base/Status.h"

namespace dtc::tool {

/// Whether `name` is a target: "host", a CPU's name, or "reference".
/// INVALID_ARGUMENT says what would be.
Status checkTarget(const std::string &name);

/// Adds a plan.code for every target: a CPU's shared object, or `reference`,
/// which needs none. Targets are "host", a CPU's name, or "reference".
/// Diagnoses an unknown target with those that exist.
mlir::LogicalResult compileKernels(mlir::ModuleOp module,
                                   const std::vector<std::string> &targets,
                                   unsigned threads);

} // namespace dtc::tool
