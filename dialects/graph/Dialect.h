// The graph dialect and its attributes.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include <limits>

#include "dialects/graph/Dialect.h.inc"

namespace dtc::graph {
// Of a function: epochs to run when a run does not say how many.
inline constexpr llvm::StringLiteral epochsAttrName = "graph.epochs";
// Of a variable: into how many parts it is split over parameter servers, and
// how ("div" or "mod").
inline constexpr llvm::StringLiteral shardsAttrName = "shards";
inline constexpr llvm::StringLiteral strategyAttrName = "partition_strategy";
// Of an input of a tower: the block that it reads, of how many a step.
inline constexpr llvm::StringLiteral blockAttrName = "graph.block";
inline constexpr llvm::StringLiteral blocksAttrName = "graph.blocks";
// Of an op that minimize expanded to: the variable whose update it belongs to.
// It computes once a step, on the mean of the replicas' gradients.
inline constexpr llvm::StringLiteral updateAttrName = "graph.update";
// Of such an op: the numbers of its operands that are indices or rows of a
// table. They have no mean; replicas' are put one behind the other.
inline constexpr llvm::StringLiteral rowsAttrName = "graph.rows";

// The batch of a schedule that names none.
inline constexpr int64_t noBatch = std::numeric_limits<int64_t>::min();

// Whether a variable can be initialised from it.
bool isInitializer(mlir::Attribute attribute);
// Whether minimize can train with it.
bool isOptimizer(mlir::Attribute attribute);
} // namespace dtc::graph

#define GET_ATTRDEF_CLASSES
#include "dialects/graph/Attributes.h.inc"
