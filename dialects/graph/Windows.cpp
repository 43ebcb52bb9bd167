#include "dialects/graph/Windows.h"

#include "dialects/graph/Tensors.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace dtc::graph;

bool dtc::graph::isPadding(Attribute attribute) {
  if (auto name = dyn_cast<StringAttr>(attribute))
    return name == "SAME" || name == "VALID";
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  return list && list.size() == 4;
}

// Numbers beyond this could overflow, and no image is so large.
static constexpr int64_t mostPixels = int64_t{1} << 31;

static bool isInRange(ArrayRef<int64_t> list, int64_t least) {
  return list.size() == 2 && llvm::all_of(list, [&](int64_t value) {
           return value >= least && value <= mostPixels;
         });
}

// Fills in the padding and the output's size; what is wrong, or "".
static std::string resolve(Window &window, Attribute padding, unsigned axis) {
  int64_t reach = (window.window - 1) * window.dilation + 1;
  auto name = dyn_cast<StringAttr>(padding);
  if (name && name == "SAME") {
    window.output = llvm::divideCeil(window.input, window.stride);
    int64_t needed = std::max<int64_t>(
        (window.output - 1) * window.stride + reach - window.input, 0);
    window.before = needed / 2; // the odd one goes behind
    window.after = needed - window.before;
    return "";
  }
  if (auto list = dyn_cast<DenseI64ArrayAttr>(padding)) {
    window.before = list[2 * axis];
    window.after = list[2 * axis + 1];
  }
  int64_t free = window.input + window.before + window.after - reach;
  if (free < 0)
    return ("a window that reaches over " + Twine(reach) +
            " elements does not fit into " + Twine(free + reach))
        .str();
  window.output = free / window.stride + 1;
  return "";
}

std::variant<Windows, std::string>
dtc::graph::resolveWindows(ArrayRef<int64_t> input, ArrayRef<int64_t> window,
                           ArrayRef<int64_t> strides,
                           ArrayRef<int64_t> dilations, Attribute padding) {
  if (!isInRange(window, 1) || !isInRange(input, 0))
    return std::string("windows and images have a height and a width");
  if (!isInRange(strides, 1))
    return std::string("strides must be two numbers of at least 1");
  if (!isInRange(dilations, 1))
    return std::string("dilations must be two numbers of at least 1");
  if (!isPadding(padding))
    return std::string("padding must be \"SAME\", \"VALID\" or "
                       "array<i64: top, bottom, left, right>");
  if (auto list = dyn_cast<DenseI64ArrayAttr>(padding))
    for (int64_t count : list.asArrayRef())
      if (count < 0 || count > mostPixels)
        return std::string("explicit padding must not be negative");
  Windows windows;
  for (unsigned axis : {0, 1}) {
    windows[axis] = {.input = input[axis],
                     .window = window[axis],
                     .stride = strides[axis],
                     .dilation = dilations[axis],
                     .before = 0,
                     .after = 0,
                     .output = 0};
    if (std::string wrong = resolve(windows[axis], padding, axis);
        !wrong.empty())
      return (axis == 0 ? "height: " : "width: ") + wrong;
  }
  return windows;
}
