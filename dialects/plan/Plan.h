// The plan dialect: how a partitioned graph runs. See Ops.td.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/plan/Dialect.h.inc"
#include "dialects/plan/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/plan/Attributes.h.inc"
#define GET_OP_CLASSES
#include "dialects/plan/Ops.h.inc"

namespace dtc::plan {

// See the dialect's description.
inline constexpr llvm::StringLiteral decisionsAttrName = "plan.decisions";
inline constexpr llvm::StringLiteral reasonAttrName = "plan.reason";

/// The decisions that an instruction carries.
llvm::SmallVector<DecisionAttr> decisionsOf(mlir::Operation *instruction);
/// Writes them; an empty list removes them.
void setDecisions(mlir::Operation *instruction,
                  llvm::ArrayRef<DecisionAttr> decisions);

} // namespace dtc::plan
