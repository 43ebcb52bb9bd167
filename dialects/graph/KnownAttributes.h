// Which attributes a person may write: beyond an op's own, and after `#graph.`.
#ifndef DTC_DIALECTS_GRAPH_KNOWNATTRIBUTES_H
#define DTC_DIALECTS_GRAPH_KNOWNATTRIBUTES_H

#include "mlir/IR/Operation.h"
#include <string>
#include <vector>

namespace dtc::graph {

// `device` and `colocate` on every op of the dialect but an entry point; of the
// dialect's own
// (`graph.…`) those that Dialect.h names; whatever another dialect's passes
// left (`dist.device`). A mistyped one would be ignored in silence, so it is an
// error, with a guess.
mlir::LogicalResult checkAttributes(mlir::Operation *op);

// Whether a person may write it: `device`, `colocate`, `graph.epochs`, notes on
// a module; not what the compiler's phases tell each other.
bool isWritable(mlir::Operation *op, llvm::StringRef attribute);

// The words that may follow `#graph.`: initializers, optimizers, column.
std::vector<std::string> attributeNames();

} // namespace dtc::graph

#endif // DTC_DIALECTS_GRAPH_KNOWNATTRIBUTES_H
