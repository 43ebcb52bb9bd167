// JoinRows: what becomes of the rows of a table (a sparse gradient) when the
// replicas' lie one behind the other.
#pragma once

#include "passes/dist/NameTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace dtc::dist {

/// The type of the rows of `replicas` together.
mlir::RankedTensorType joinedType(mlir::RankedTensorType rows,
                                  int64_t replicas);

/// Each of the joined rows divided by the number of replicas and rounded once,
/// as in a mean; indices as they are. `name` is the value's in one replica,
/// `decide` gets every op that is built.
mlir::Value divideJoined(mlir::OpBuilder &builder, mlir::Value joined,
                         int64_t replicas, llvm::StringRef name,
                         NameTable &names,
                         llvm::function_ref<void(mlir::Operation *)> decide);

/// Gives what is computed from `joined` the types of more rows.
mlir::LogicalResult retypeUsers(graph::FuncOp func,
                                llvm::ArrayRef<mlir::Value> joined);

} // namespace dtc::dist
