#include "passes/plan/Pipeline.h"

#include "passes/plan/Passes.h"

using namespace mlir;

void dtc::plan::buildProgramPipeline(OpPassManager &pm) {
  // Each task's fragments come together; sends and recvs keep the order that
  // both ends share, which the schedule takes for ties.
  pm.addPass(createConvertDistToPlan());
}

void dtc::plan::buildKernelPipeline(OpPassManager &pm, bool fuses) {
  // Before ordering: fusion decides which values exist at all.
  pm.addPass(createFormKernels({.fuse = fuses}));
}

void dtc::plan::buildBufferPipeline(OpPassManager &pm, bool reuses) {
  // The order is final from here on: `after` counts positions.
  pm.addPass(createSchedule());
  // Needs the order to know when a value is dead.
  pm.nest<EntryOp>().nest<ProgramOp>().nest<ActivationOp>().addPass(
      createAssignBuffers({.reuse = reuses}));
  addPlanDoor(pm);
}

void dtc::plan::addPlanDoor(OpPassManager &pm) {
  pm.addPass(createVerifyClosed());
}
