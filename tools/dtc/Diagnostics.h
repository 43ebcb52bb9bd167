// Diagnostics: what MLIR reports, as a person reads it.
#pragma once

#include <string>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

namespace dtc::tool {

/// Prints to stderr every diagnostic of a context as `file:line:col: error: …`
/// with the source line and a caret, its notes, and a guess where a name looks
/// mistyped; the parser's words become ours where a user would not know them.
/// Installed while it lives.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context);

  /// Makes `text` known as the contents of file `name`, for source lines.
  void addSource(const std::string &text, const std::string &name);

private:
  mlir::LogicalResult translate(mlir::Diagnostic &diagnostic);

  mlir::MLIRContext &context_;
  llvm::SourceMgr sources_;
  mlir::SourceMgrDiagnosticHandler printer_;
  mlir::ScopedDiagnosticHandler translator_; // runs before printer_
};

} // namespace dtc::tool
