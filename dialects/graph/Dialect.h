// The graph dialect and its attributes.
#pragma once

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/APFloat.h"

#include "dialects/graph/Dialect.h.inc"

namespace dtc::graph {
// Of a function: epochs to run when a run does not say how many.
inline constexpr llvm::StringLiteral epochsAttrName = "graph.epochs";
// Of an input of a tower: the block that it reads, of how many a step.
inline constexpr llvm::StringLiteral blockAttrName = "graph.block";
inline constexpr llvm::StringLiteral blocksAttrName = "graph.blocks";

// Reads a double; for the attributes' parsers.
mlir::FailureOr<llvm::APFloat> parseReal(mlir::AsmParser &parser);
// Whether a variable can be initialised from it.
bool isInitializer(mlir::Attribute attribute);
} // namespace dtc::graph

#define GET_ATTRDEF_CLASSES
#include "dialects/graph/Attributes.h.inc"
