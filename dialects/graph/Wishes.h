// Wishes: where a person wants an op or a variable to be, as discardable
// attributes: `device` is a device string, `colocate` names what it must be
// with, as in colocate = ["w1"].
#ifndef DTC_DIALECTS_GRAPH_WISHES_H
#define DTC_DIALECTS_GRAPH_WISHES_H

#include "mlir/IR/BuiltinOps.h"

namespace dtc::graph {

inline constexpr llvm::StringLiteral deviceWishName = "device";
inline constexpr llvm::StringLiteral colocateWishName = "colocate";

// The names of `colocate`, without TensorFlow's "loc:@" before them; none
// without it. An entry that checkColocate refuses is left out.
llvm::SmallVector<llvm::StringRef> colocationNames(mlir::Operation *op);

// What is made for `from` belongs where that does.
void keepWishes(mlir::Operation *from, mlir::Operation *made);
// As above, for the ops between `before` (null: the block's begin) and `last`,
// which is one of them.
void keepWishes(mlir::Operation *from, mlir::Operation *before,
                mlir::Operation *last);

// Whether `colocate` is a list of names, and stands where it has an effect.
mlir::LogicalResult checkColocate(mlir::Operation *op);
// Whether a person's file has what its ops and variables want to be with: a
// variable wants a variable, an op also a value of its function.
mlir::LogicalResult checkColocations(mlir::ModuleOp module);

} // namespace dtc::graph

#endif // DTC_DIALECTS_GRAPH_WISHES_H
