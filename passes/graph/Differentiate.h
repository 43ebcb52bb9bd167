// Symbolic differentiation, in reverse mode.
#pragma once

#include "mlir/IR/Builders.h"

namespace dtc::graph {

// Builds, at the builder's insertion point, the gradient of the scalar `loss`
// with respect to each of `wrt`; null where the loss does not depend on it. The
// insertion point comes after `loss`, in its block. Where a value has several
// users, its gradient is the sum of theirs, the last user's first. A gradient
// is named after its value ("h1.grad") and stays on its op's explicit device.
// Fails after a diagnostic if the path from a `wrt` to the loss has an op
// without gradient.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
differentiate(mlir::Value loss, llvm::ArrayRef<mlir::Value> wrt,
              mlir::OpBuilder &builder);

} // namespace dtc::graph
