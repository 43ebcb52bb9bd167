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
