// ColocationNames: what the names of `colocate` mean, written down so that it
// still holds when ops were cloned, renamed or left out.
#pragma once

#include "passes/dist/Variables.h"

namespace dtc::dist {

/// Rewrites `colocate` all over the module: a name of a variable becomes "@w";
/// the op that makes a named value gets its own name in `colocate`, which its
/// clones inherit. A name that nothing has any more (a rewrite took the op
/// away) stays: those that share it are still together.
void resolveColocations(mlir::ModuleOp module, const Variables &variables);

/// The variables that a resolved `colocate` names.
llvm::SmallVector<graph::VariableOp>
colocatedVariables(mlir::Operation *op, const Variables &variables);
/// The other names of a resolved `colocate`.
llvm::SmallVector<llvm::StringRef> colocationLabels(mlir::Operation *op);
/// Adds a variable to an op's resolved `colocate`.
void colocate(mlir::Operation *op, graph::VariableOp variable);
/// The first name that is not the op's own, as people write it; or "".
llvm::StringRef firstPartner(mlir::Operation *op);

} // namespace dtc::dist
