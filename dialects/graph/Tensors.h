// What a tensor of the graph dialect is, and the arithmetic of shapes.
#pragma once

#include "dialects/diagnostics/Codes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include <optional>
#include <string>

namespace dtc::graph {

// The most elements that a tensor may have.
inline constexpr int64_t maxElements = int64_t{1} << 40;
inline constexpr size_t maxRank = 32;

// One of f32, f64, f16, bf16, i1, i8, ui8, i32, i64.
bool isElementType(mlir::Type type);
// The type predicates of Dialect.td. All include isTensor: ranked, static, no
// encoding, at most maxElements elements. A dimension may be 0.
bool isTensor(mlir::Type type);
bool isNumberTensor(mlir::Type type);
bool isSignedTensor(mlir::Type type);
bool isFloatTensor(mlir::Type type);
bool isIndexTensor(mlir::Type type);
bool isBoolTensor(mlir::Type type);
// A scalar i64.
bool isCount(mlir::Type type);

// What keeps `type` from being a tensor of the dialect, as the end of a
// sentence that begins with what has the type, and its code; nothing if it is
// one.
struct TypeMistake {
  Code code;
  std::string text;
};
std::optional<TypeMistake> mistakeOf(mlir::Type type);

// Whether a finite `value` rounds to one of `element`: no float that becomes
// infinite, no integer beyond the type's.
bool holdsNumber(mlir::Type element, const llvm::APFloat &value);
// Whether `value` is one of `element`: as above, and whole for an integer.
// Floats have infinities and NaN.
bool isElement(mlir::Type element, const llvm::APFloat &value);

// Product of the dimensions; nothing if there are more than maxRank of them, if
// one is negative or dynamic, or if the product of those that are not 0 exceeds
// maxElements.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

// The shape that both broadcast to by NumPy's rule, or nothing.
std::optional<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

// "32x64"; "scalar" without dimensions.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace dtc::graph
