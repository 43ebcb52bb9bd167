// The passes of passes/graph; Passes.td says what each does, Pipeline.cpp in
// which order they run.
#pragma once

#include "dialects/graph/Ops.h"
#include "dialects/graph/Wishes.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace dtc::graph {
#define GEN_PASS_DECL
#include "passes/graph/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph
