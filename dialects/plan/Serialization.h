// The door between compiler and runtime: plan dialect ⇄ plan.proto.
//
// The two are one to one: importPlan(exportPlan(m)) prints as m does, locations
// included. Only Serialization*.cpp may know both sides.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/plan/PlanFile.h"

namespace dtc::plan {

/// Translates a module that passed plan-verify-closed. What the format cannot
/// say (an attribute of an unknown kind) is diagnosed at its op.
mlir::FailureOr<::dtc::PlanContents> exportPlan(mlir::ModuleOp module);

/// Rebuilds the module of a validated plan (runtime/plan/Plan.h). The context
/// must have loaded the plan dialect and the dialect of the kernels' bodies.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importPlan(const ::dtc::PlanContents &contents, mlir::MLIRContext &context);

} // namespace dtc::plan
