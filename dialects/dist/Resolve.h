// Looks an operand's `%name` up while a text is parsed, and says what is wrong
// with it instead of emitting MLIR's general message, which could not name the
// edge that lost an end or changed its type.
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace dtc::dist {

struct ResolvedOperand {
  enum Kind {
    Found,
    NotDefined, // nothing above the use defines it
    OtherType,  // it is defined, but `actual` is its type
    Invalid     // anything else: `message`
  };
  Kind kind = Invalid;
  mlir::Value value;                        // Found
  mlir::Type actual;                        // OtherType
  std::optional<mlir::Location> definition; // OtherType
  std::string message;                      // Invalid
};

/// Emits nothing. Values of dist are always defined above their uses, since a
/// function is a list in execution order.
ResolvedOperand
resolveOperand(mlir::OpAsmParser &parser,
               const mlir::OpAsmParser::UnresolvedOperand &operand,
               mlir::Type type);

} // namespace dtc::dist
