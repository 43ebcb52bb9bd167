// The pass of passes/kernel; Passes.td says what it does.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace dtc::kernel {
#define GEN_PASS_DECL
#include "passes/kernel/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/kernel/Passes.h.inc"
} // namespace dtc::kernel
