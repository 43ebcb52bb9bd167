#include "dialects/graph/Tensors.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace dtc::graph {

bool isElementType(Type type) {
  if (isa<Float32Type, Float64Type, Float16Type, BFloat16Type>(type))
    return true;
  return type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isUnsignedInteger(8) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

bool isTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding() &&
         isElementType(tensor.getElementType()) &&
         countElements(tensor.getShape());
}

static Type elementOf(Type type) {
  return isTensor(type) ? cast<RankedTensorType>(type).getElementType()
                        : Type();
}

bool isNumberTensor(Type type) {
  Type element = elementOf(type);
  return element && !element.isInteger(1);
}

bool isSignedTensor(Type type) {
  return isNumberTensor(type) && !elementOf(type).isUnsignedInteger();
}

bool isFloatTensor(Type type) {
  Type element = elementOf(type);
  return element && isa<FloatType>(element);
}

bool isIndexTensor(Type type) {
  Type element = elementOf(type);
  return element && isa<IntegerType>(element) && !element.isInteger(1);
}

bool isBoolTensor(Type type) {
  Type element = elementOf(type);
  return element && element.isInteger(1);
}

bool isCount(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         tensor.getElementType().isSignlessInteger(64);
}

std::optional<int64_t> countElements(ArrayRef<int64_t> shape) {
  if (shape.size() > maxRank)
    return std::nullopt;
  int64_t count = 1;
  for (int64_t dim : shape) {
    if (dim < 0 || dim > maxElements / count)
      return std::nullopt;
    count *= std::max<int64_t>(dim, 1);
  }
  return llvm::is_contained(shape, 0) ? 0 : count;
}

std::optional<SmallVector<int64_t>> broadcastShapes(ArrayRef<int64_t> lhs,
                                                    ArrayRef<int64_t> rhs) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  SmallVector<int64_t> result(lhs);
  size_t offset = lhs.size() - rhs.size();
  for (auto [index, dim] : llvm::enumerate(rhs)) {
    int64_t &out = result[offset + index];
    if (out != dim && out != 1 && dim != 1)
      return std::nullopt;
    if (out == 1)
      out = dim;
  }
  return result;
}

std::string formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t dim) {
        if (ShapedType::isDynamic(dim))
          os << '?';
        else
          os << dim;
      },
      "x");
  return text;
}

} // namespace dtc::graph
