// The ops of the graph dialect, its attributes and interfaces.
#pragma once

#include "dialects/graph/Dialect.h"
#include "dialects/graph/Names.h"
#include "dialects/graph/Tensors.h"
#include "dialects/graph/Windows.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace dtc::graph {

// See Dialect.td.
template <typename ConcreteOp>
class StopsGradient
    : public mlir::OpTrait::TraitBase<ConcreteOp, StopsGradient> {};
template <typename ConcreteOp>
class NoGradient : public mlir::OpTrait::TraitBase<ConcreteOp, NoGradient> {};
template <typename ConcreteOp>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteOp, Elementwise> {};

} // namespace dtc::graph

#include "dialects/graph/Interfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/graph/Ops.h.inc"
