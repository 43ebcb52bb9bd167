// Graph files: MLIR text in, MLIR text out, and the names of values kept.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace dtc::graph {

// What a file may be, so that no text can break the parser.
inline constexpr size_t maxFileBytes = size_t{1} << 28;
inline constexpr unsigned maxBracketDepth = 256;
inline constexpr unsigned maxResults = 65536; // of one op

// Parses and verifies the main buffer of `sources`, the text of any phase whose
// dialects `context` has. Afterwards every value has a name (Names.h): its own
// in the text, or "matmul_3" where that was a number. Returns null after a
// diagnostic through the context's handler. `sources` must live no longer than
// this call, unless a diagnostic handler shows its lines.
mlir::OwningOpRef<mlir::ModuleOp> parseGraph(const llvm::SourceMgr &sources,
                                             mlir::MLIRContext *context);
// The same for a text that is called `name` in locations.
mlir::OwningOpRef<mlir::ModuleOp> parseGraph(llvm::StringRef text,
                                             llvm::StringRef name,
                                             mlir::MLIRContext *context);

// The module's text. Values print under their names, through their ops'
// OpAsmOpInterface. Parsing it gives the same
// module under the same names; places in files are not kept.
std::string printGraph(mlir::ModuleOp module);

} // namespace dtc::graph
