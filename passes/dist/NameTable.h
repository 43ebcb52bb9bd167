// NameTable: the names that an entry uses, so that what a pass adds gets a name
// of its own.
#pragma once

#include "dialects/graph/Ops.h"
#include "llvm/ADT/DenseSet.h"

namespace dtc::dist {

class NameTable {
public:
  /// Knows every name in `func`, and gives "matmul_3" to values that have none.
  explicit NameTable(graph::FuncOp func);

  /// `base`, or `base` with the first of "_2", "_3", … that is free. The name
  /// is taken from then on.
  std::string take(llvm::StringRef base);

private:
  mlir::MLIRContext *context_;
  llvm::DenseSet<mlir::StringAttr> taken_;
};

} // namespace dtc::dist
