#include "passes/dist/Shards.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Cost.h"
#include "passes/dist/Decisions.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

RankedTensorType Split::partOf(RankedTensorType whole, int64_t index) const {
  SmallVector<int64_t> shape(whole.getShape());
  shape[axis] = sizeOf(shape[axis], index);
  return whole.clone(shape);
}

/// The first axis that is long enough for `count` parts, or else the longest.
static int64_t axisFor(ArrayRef<int64_t> shape, int64_t count) {
  for (auto [axis, size] : llvm::enumerate(shape))
    if (size >= count)
      return axis;
  return llvm::max_element(shape) - shape.begin();
}

static InFlightDiagnostic refuse(graph::VariableOp variable) {
  return coded(variable.emitError("'"), Code::BadShards)
         << variable.getSymName() << "' ";
}

/// 0 without a wish.
static FailureOr<int64_t> wishedCount(graph::VariableOp variable) {
  Attribute wish = variable->getAttr(shardsAttrName);
  if (!wish)
    return 0;
  auto shape = cast<RankedTensorType>(variable.getType()).getShape();
  auto number = dyn_cast<IntegerAttr>(wish);
  if (!number || number.getInt() < 1)
    return refuse(variable)
           << "takes " << shardsAttrName << " = 1 or more, not " << wish;
  int64_t longest = shape.empty() ? 1 : *llvm::max_element(shape);
  if (number.getInt() > std::max<int64_t>(longest, 1))
    return refuse(variable) << "cannot be " << number.getInt()
                            << " shards: its longest axis has " << longest;
  return number.getInt();
}

static FailureOr<bool> isInterleaved(graph::VariableOp variable) {
  Attribute wish = variable->getAttr(strategyAttrName);
  auto text = dyn_cast_if_present<StringAttr>(wish);
  if (!wish || (text && text.getValue() == "div"))
    return false;
  if (text && text.getValue() == "mod")
    return true;
  return refuse(variable) << "takes " << strategyAttrName
                          << " = \"div\" or \"mod\", not " << wish;
}

FailureOr<std::optional<Split>> splitOf(graph::VariableOp variable,
                                        int64_t maxBytes) {
  FailureOr<int64_t> count = wishedCount(variable);
  FailureOr<bool> interleaved = isInterleaved(variable);
  FailureOr<DeviceSpec> device = wishOf(variable);
  if (failed(count) || failed(interleaved) || failed(device))
    return failure();
  auto type = cast<RankedTensorType>(variable.getType());
  if (*count == 0 && maxBytes > 0 && !device->task && type.getRank() > 0)
    *count = llvm::divideCeil(graph::sizeBytes(type), maxBytes);
  if (*count < 2)
    return std::optional<Split>();
  int64_t axis = axisFor(type.getShape(), *count);
  Split split{axis, std::min(*count, type.getDimSize(axis)), *interleaved};
  return split.count < 2 ? std::optional<Split>() : split;
}

std::string partName(StringRef name, StringRef owner, int64_t index) {
  return (owner + "/part_" + Twine(index) + name.drop_front(owner.size()))
      .str();
}

} // namespace dtc::dist
