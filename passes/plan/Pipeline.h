// The order of the plan passes.
#pragma once

#include "mlir/Pass/PassManager.h"

namespace dtc::plan {

/// Partitions → programs (phase `program`).
void buildProgramPipeline(mlir::OpPassManager &pm);
/// Programs → kernels and launches (phase `kernel`). Unless it `fuses`, each op
/// is a kernel of its own.
void buildKernelPipeline(mlir::OpPassManager &pm, bool fuses = true);
/// Order, buffers, and the check that nothing is left open. What compiled code
/// adds (plan.code) and the plan file come after it (phase `plan`). Unless it
/// `reuses` them, no bytes of an arena serve twice.
void buildBufferPipeline(mlir::OpPassManager &pm, bool reuses = true);

/// The door alone, for a text of phase `plan` that was edited by hand.
void addPlanDoor(mlir::OpPassManager &pm);

} // namespace dtc::plan
