// How numbers, schedules and named parameters are read and written: what *.td
// names as parsers, printers and custom<…> directives.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/APFloat.h"

namespace dtc::graph {

// A finite number, written 0.1, 1 or -2.
mlir::FailureOr<llvm::APFloat> parseReal(mlir::AsmParser &parser);
// Such numbers, as [0.1, 1].
mlir::FailureOr<mlir::DenseF64ArrayAttr> parseReals(mlir::AsmParser &parser);
// `true` or `false`.
mlir::FailureOr<bool> parseSwitch(mlir::AsmParser &parser);
// A learning rate: a number becomes an f64, else a schedule.
mlir::FailureOr<mlir::Attribute> parseRate(mlir::AsmParser &parser);
void printRate(mlir::AsmPrinter &printer, mlir::Attribute rate);

// An f64 of an op, as above, or by its bits, 0x7FF0000000000000, where it is no
// finite number. Whether it may be that is for the op to say.
mlir::ParseResult parseReal(mlir::OpAsmParser &parser, mlir::FloatAttr &number);
void printReal(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::FloatAttr number);

// Looks ahead, reads nothing: whether all parameters in `a = …, b = …>` are
// among the names, separated by commas, and no two are the same.
mlir::ParseResult parseNames(mlir::AsmParser &parser, llvm::StringRef owner,
                             llvm::StringRef names);
inline void printNames(mlir::AsmPrinter &, llvm::StringRef, llvm::StringRef) {}

// Refuses `<…>` after an attribute that takes nothing.
mlir::ParseResult parseNoParameters(mlir::AsmParser &parser,
                                    llvm::StringRef owner);
inline void printNoParameters(mlir::AsmPrinter &, llvm::StringRef) {}

} // namespace dtc::graph
