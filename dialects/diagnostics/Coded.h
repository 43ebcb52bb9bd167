// Coded: a code on an MLIR diagnostic, beside its text.
#pragma once

#include <optional>

#include "dialects/diagnostics/Codes.h"
#include "mlir/IR/Diagnostics.h"

namespace dtc {

// Marks `diagnostic` with `code`; the text stays as it is. To be streamed into:
//   return coded(op->emitError(), Code::ShapeMismatch) << "…";
inline mlir::InFlightDiagnostic coded(mlir::InFlightDiagnostic diagnostic,
                                      Code code) {
  if (mlir::Diagnostic *inner = diagnostic.getUnderlyingDiagnostic())
    inner->getMetadata().emplace_back(static_cast<unsigned>(code));
  return diagnostic;
}

// The code that `diagnostic` was marked with.
inline std::optional<Code> codeOf(mlir::Diagnostic &diagnostic) {
  for (const mlir::DiagnosticArgument &argument : diagnostic.getMetadata())
    if (argument.getKind() ==
        mlir::DiagnosticArgument::DiagnosticArgumentKind::Unsigned)
      return static_cast<Code>(argument.getAsUnsigned());
  return std::nullopt;
}

} // namespace dtc
