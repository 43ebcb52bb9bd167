// The words of the command line: "ps=1,worker=2", "between-graph", "sync".
#pragma once

#include "dialects/dist/Dist.h"

namespace dtc::dist {

/// "ps=1,worker=2" in that order. On failure a diagnostic at `where` says what
/// would be right.
mlir::FailureOr<ClusterAttr> parseClusterText(llvm::StringRef text,
                                              mlir::Location where);
mlir::FailureOr<Mode> parseModeText(llvm::StringRef text, mlir::Location where);
mlir::FailureOr<Update> parseUpdateText(llvm::StringRef text,
                                        mlir::Location where);

} // namespace dtc::dist
