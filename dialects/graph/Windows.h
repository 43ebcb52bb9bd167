// The arithmetic of windows that slide over images (convolutions, pools), as
// TensorFlow does it.
#pragma once

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <variant>

namespace dtc::graph {

// One spatial dimension. Window element k of output o reads the input at
// o * stride + k * dilation - before.
struct Window {
  int64_t input, window, stride, dilation;
  int64_t before, after; // padding
  int64_t output;
};

// "SAME", "VALID", or an array of four numbers: top, bottom, left, right.
bool isPadding(mlir::Attribute attribute);

// Height and width, or what is wrong with the numbers, as a sentence.
using Windows = std::array<Window, 2>;
std::variant<Windows, std::string>
resolveWindows(llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> window,
               llvm::ArrayRef<int64_t> strides,
               llvm::ArrayRef<int64_t> dilations, mlir::Attribute padding);

} // namespace dtc::graph
