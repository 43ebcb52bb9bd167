// The passes of passes/plan; Passes.td says what each does, Pipeline.cpp in
// which order they run.
#pragma once

#include <memory>

#include "dialects/plan/Plan.h"
#include "mlir/Pass/Pass.h"

namespace dtc::plan {
#define GEN_PASS_DECL
#include "passes/plan/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan
