#include "dialects/dist/Resolve.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace dtc::dist {

/// The type that a diagnostic mentions last: for "expects different type than
/// prior uses: A vs B" the type that the value has.
static Type lastTypeIn(Diagnostic &diagnostic) {
  Type type;
  for (DiagnosticArgument &argument : diagnostic.getArguments())
    if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type)
      type = argument.getAsType();
  return type;
}

/// A value that was used before its definition is, until the end of the parse,
/// the result of a cast that stands in no block.
static bool isPlaceholder(Value value) {
  auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
  return cast && !cast->getBlock();
}

ResolvedOperand resolveOperand(OpAsmParser &parser,
                               const OpAsmParser::UnresolvedOperand &operand,
                               Type type) {
  ResolvedOperand result;
  ScopedDiagnosticHandler capture(
      parser.getContext(), [&](Diagnostic &diagnostic) {
        result.message = diagnostic.str();
        if ((result.actual = lastTypeIn(diagnostic)))
          for (Diagnostic &note : diagnostic.getNotes())
            result.definition = note.getLocation();
        return success();
      });
  SmallVector<Value, 1> values;
  if (succeeded(parser.resolveOperand(operand, type, values))) {
    result.value = values.front();
    result.kind = isPlaceholder(result.value) ? ResolvedOperand::NotDefined
                                              : ResolvedOperand::Found;
  } else if (result.actual) {
    result.kind = ResolvedOperand::OtherType;
  }
  return result;
}

} // namespace dtc::dist
