// Names of values, kept in locations so that rewrites, CSE and folding may
// ignore them. An op that defines n values carries a chain of n NameLocs above
// its place in the file, result 0 outermost; a block argument carries one.
#pragma once

#include "mlir/IR/OpImplementation.h"
#include <string>

namespace dtc::graph {

// The value's name, or "" if it has none yet.
std::string nameOf(mlir::Value value);
// The same, null for "": compares and hashes without a look at the text.
mlir::StringAttr nameAttrOf(mlir::Value value);
// The name of result 0; for ops without results what they are about: the
// variable of an assign ("w1.assign"), the output's name.
std::string nameOf(mlir::Operation *op);

// Names one value; the names of its op's other results stay.
void setName(mlir::Value value, llvm::StringRef name);
// Names result 0. The op must have results.
void setName(mlir::Operation *op, llvm::StringRef name);

// Gives every value defined within `scope` that has no name one that no other
// value there has: "matmul_3". With `renameTaken`, a value whose name an
// earlier one has gets a new name too ("h1_2"), so that all are unique.
void assignNames(mlir::Operation *scope, bool renameTaken);

// `location` without its names: the place in the file.
mlir::Location withoutNames(mlir::Location location);
// `location`'s place under `name`: for an op that a rewrite makes.
mlir::Location namedLocation(llvm::StringRef name, mlir::Location location);

// "digits.mlir:12:8", base file name only; "" without a place.
std::string fileLocation(mlir::Location location);

// For OpAsmOpInterface: values print under their names.
void printResultNames(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName);
void printArgumentNames(mlir::Region &region,
                        mlir::OpAsmSetValueNameFn setName);

} // namespace dtc::graph
