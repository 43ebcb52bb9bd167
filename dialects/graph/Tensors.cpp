#include "dialects/graph/Tensors.h"

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/APSInt.h"
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

static std::string textOf(const auto &what) {
  std::string text;
  llvm::raw_string_ostream(text) << what;
  return text;
}

std::optional<TypeMistake> mistakeOf(Type type) {
  if (isTensor(type))
    return std::nullopt;
  auto mistake = [](Code code, const Twine &text) {
    return TypeMistake{code, text.str()};
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor && !isa<UnrankedTensorType>(type))
    return mistake(Code::UnknownType, "is no tensor but '" + textOf(type) +
                                          "'; write tensor<f32> for a scalar, "
                                          "tensor<4x8xf32> for a matrix");
  if (!tensor || !tensor.hasStaticShape())
    return mistake(Code::BadEntry, "must be a tensor of a static shape, got '" +
                                       textOf(type) +
                                       "'; write numbers for its dimensions");
  if (!isElementType(tensor.getElementType()))
    return mistake(Code::UnknownType,
                   "has elements of type '" + textOf(tensor.getElementType()) +
                       "'; use f32, f64, f16, bf16, i1, i8, ui8, i32 or i64");
  if (Attribute encoding = tensor.getEncoding())
    return mistake(Code::UnknownType, "has the encoding " + textOf(encoding) +
                                          ", and tensors of a graph have none; "
                                          "leave it out");
  if (size_t rank = tensor.getRank(); rank > maxRank)
    return mistake(Code::TooLarge,
                   "has " + Twine(rank) +
                       " dimensions, and a tensor has at most " +
                       Twine(maxRank));
  return mistake(Code::TooLarge,
                 "has more than 2^40 elements, got '" + textOf(type) + "'");
}

bool holdsNumber(Type element, const llvm::APFloat &value) {
  if (!value.isFinite())
    return false;
  if (auto type = dyn_cast<FloatType>(element)) {
    llvm::APFloat rounded = value;
    bool losesInfo = false;
    rounded.convert(type.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return rounded.isFinite();
  }
  auto type = cast<IntegerType>(element);
  llvm::APSInt whole(type.getWidth(),
                     type.isUnsigned() || type.getWidth() == 1);
  bool isExact = false;
  return value.convertToInteger(whole, llvm::APFloat::rmTowardZero, &isExact) !=
         llvm::APFloat::opInvalidOp;
}

bool isElement(Type element, const llvm::APFloat &value) {
  if (isa<FloatType>(element))
    return !value.isFinite() || holdsNumber(element, value);
  return holdsNumber(element, value) && value.isInteger();
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
