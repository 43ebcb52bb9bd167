// plan-verify-closed: the door to serialisation. Changes nothing.
//
// That overlapping bytes are ordered, and all else that a finished plan must
// hold, is checked on the plan itself by runtime/plan: one piece of code for
// compiler and runtime.
#include "mlir/IR/SymbolTable.h"
#include "passes/kernel/HostCodegen.h"
#include "passes/plan/Passes.h"

namespace dtc::plan {
#define GEN_PASS_DEF_VERIFYCLOSED
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc;
using namespace dtc::plan;

namespace {

LogicalResult verifyTopLevel(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa<VariableOp, KernelOp, CodeOp, EntryOp>(op))
      return op.emitOpError(
          "is left over: a plan holds variables, kernels, code and entries");
  return success();
}

LogicalResult verifyInstruction(Operation &op) {
  if (!isa<PlanDialect>(op.getDialect()))
    return op.emitOpError("is in no kernel; run plan-form-kernels first");
  bool needsBytes = op.getNumResults() > 0 && !isa<LoadVariableOp>(op);
  auto offsets = op.getAttrOfType<DenseI64ArrayAttr>("offsets");
  if (needsBytes && (!offsets || offsets.size() != op.getNumResults()))
    return op.emitOpError(
        "has results without bytes; run plan-assign-buffers first");
  return success();
}

/// Code runs over the range that it was generated for; another would leave
/// elements out, or write beyond them.
LogicalResult verifyRange(KernelOp op) {
  kernel::KernelRange own = kernel::kernelRange(op.getBody().front());
  if (own.range != static_cast<int64_t>(op.getRange()))
    return op.emitOpError("has range ")
           << op.getRange() << ", but its body has " << own.range;
  return success();
}

LogicalResult verifyLaunch(LaunchOp launch, SymbolTable &symbols) {
  auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
  if (!kernel)
    return launch.emitOpError("launches '")
           << launch.getKernel() << "', which is no kernel";
  if (kernel.getBody().getArgumentTypes() != launch.getInputs().getTypes() ||
      kernel.getResultTypes() != launch.getOutputs().getTypes()) {
    InFlightDiagnostic diag =
        launch.emitOpError("does not have the types of kernel '")
        << launch.getKernel() << "'";
    diag.attachNote(kernel.getLoc()) << "declared here";
    return diag;
  }
  return success();
}

struct VerifyClosedPass : dtc::plan::impl::VerifyClosedBase<VerifyClosedPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    WalkResult result = getOperation().walk([&](ActivationOp activation) {
      for (Operation &op : activation.getBody().front()) {
        auto launch = dyn_cast<LaunchOp>(op);
        if (failed(verifyInstruction(op)) ||
            (launch && failed(verifyLaunch(launch, symbols))))
          return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    bool rangesHold =
        llvm::all_of(getOperation().getOps<KernelOp>(),
                     [](KernelOp op) { return succeeded(verifyRange(op)); });
    if (failed(verifyTopLevel(getOperation())) || result.wasInterrupted() ||
        !rangesHold)
      signalPassFailure();
  }
};

} // namespace
