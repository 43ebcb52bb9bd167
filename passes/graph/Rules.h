// The rules of graph-simplify: each looks at one op and may know a value that
// takes the place of its result.
#pragma once

#include "dialects/graph/GradientMaker.h"

namespace dtc::graph {

// Returns null, or what replaces the op's only result: a value that was there
// before, or the result of the last op that it made at `builder`'s place. Does
// not change ops that exist. The bits stay the same unless the rule says so.
using Rule = mlir::Value (*)(mlir::Operation *op, mlir::OpBuilder &builder);

// What is known without running: ops on constants (FoldConstants.cpp).
mlir::Value foldConstants(mlir::Operation *op, mlir::OpBuilder &builder);

// Arithmetic (SimplifyMath.cpp). `x + 0` is not `x`: it makes +0 of -0.
mlir::Value removeIdentities(mlir::Operation *op, mlir::OpBuilder &builder);
// `pow(x, 2)` becomes `square`, which rounds correctly where pow may be one
// unit off: the one rule here that may change bits.
mlir::Value simplifyPowers(mlir::Operation *op, mlir::OpBuilder &builder);
mlir::Value invertDivisions(mlir::Operation *op, mlir::OpBuilder &builder);
mlir::Value mergeCasts(mlir::Operation *op, mlir::OpBuilder &builder);

// Moves (SimplifyMoves.cpp).
mlir::Value mergeReshapes(mlir::Operation *op, mlir::OpBuilder &builder);
mlir::Value mergeTransposes(mlir::Operation *op, mlir::OpBuilder &builder);
mlir::Value removeMoves(mlir::Operation *op, mlir::OpBuilder &builder);

// A transpose meets its inverse above element-wise ops (PushTransposes.cpp).
mlir::Value pushTransposes(mlir::Operation *op, mlir::OpBuilder &builder);

// The constant that makes `value`; null if none does.
mlir::DenseElementsAttr constantOf(mlir::Value value);

// `value`, or null if the op's result is of another type.
inline mlir::Value ifSameType(mlir::Value value, mlir::Operation *op) {
  bool isSame = value.getType() == op->getResult(0).getType();
  return isSame ? value : mlir::Value();
}

} // namespace dtc::graph
