// The passes of passes/dist; Passes.td says what each does, Pipeline.cpp in
// which order they run.
#pragma once

#include "dialects/dist/Dist.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace dtc::dist {
#define GEN_PASS_DECL
#include "passes/dist/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/dist/Passes.h.inc"
} // namespace dtc::dist
