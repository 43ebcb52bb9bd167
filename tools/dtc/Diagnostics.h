// Diagnostics: what MLIR reports, as a person reads it.
#pragma once

#include <map>
#include <string>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tools/dtc/Report.h"

namespace dtc::tool {

/// Prints to stderr every diagnostic of a context in the form of Report.h: with
/// its code, the source line, its notes, the mending, and a guess where a name
/// looks mistyped; the parser's words become ours where a user would not know
/// them. Installed while it lives. Not more than ReportStyle::maxErrors errors
/// are printed.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context);

  /// Makes `text` known as the contents of file `name`, for source lines.
  void addSource(const std::string &text, const std::string &name);
  /// While a file is read, what has no code is a mistake of syntax; else a bug.
  void setIsReading(bool isReading) { isReading_ = isReading; }

private:
  void handle(mlir::Diagnostic &diagnostic);
  Report describe(mlir::Diagnostic &diagnostic) const;
  Place placeOf(mlir::Location location) const;
  void addGuess(Report &report, const std::string &original) const;
  void guessOp(Report &report, llvm::StringRef name) const;

  mlir::MLIRContext &context_;
  std::map<std::string, std::string, std::less<>> sources_;
  bool isReading_ = false;
  unsigned errors_ = 0;
  mlir::ScopedDiagnosticHandler handler_;
};

} // namespace dtc::tool
