// Initial values, from the graph's words to the plan's.
#pragma once

#include "dialects/graph/Ops.h"
#include "mlir/IR/Attributes.h"

namespace dtc::plan {

/// The plan's initializer of a variable: those that depend on the shape
/// (Glorot, He) get their numbers here, from TensorFlow's fan rules
/// (python/ops/init_ops.py, _compute_fans).
mlir::Attribute resolveInitializer(graph::VariableOp variable);

} // namespace dtc::plan
