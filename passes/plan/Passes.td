// From partitions to programs that a runtime executes. One pass, one file.
#ifndef DTC_PASSES_PLAN_PASSES
#define DTC_PASSES_PLAN_PASSES

include "mlir/Pass/PassBase.td"

def ConvertDistToPlan : Pass<"convert-dist-to-plan", "::mlir::ModuleOp"> {
  let summary = "Gathers each task's partitions into programs of instructions";
  let dependentDialects = ["::dtc::plan::PlanDialect"];
}

def FormKernels : Pass<"plan-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Groups an activation's graph ops into kernels, equal ones once";
  let dependentDialects = ["::dtc::plan::PlanDialect"];
  let options = [Option<"fuse", "fuse", "bool", "true",
                        "without: each op is a kernel of its own">];
}

def Schedule : Pass<"plan-schedule", "::mlir::ModuleOp"> {
  let summary = "Sends early and receives late, in one order for all tasks; stores last";
}

def AssignBuffers : Pass<"plan-assign-buffers", "::dtc::plan::ActivationOp"> {
  let summary = "Gives every value its bytes in one arena, reusing dead ones";
  let options = [Option<"reuse", "reuse", "bool", "true",
                        "without: no value takes the bytes of another">];
}

def VerifyClosed : Pass<"plan-verify-closed", "::mlir::ModuleOp"> {
  let summary = "Checks that only kernels, instructions and placed buffers are left";
}

#endif // DTC_PASSES_PLAN_PASSES
