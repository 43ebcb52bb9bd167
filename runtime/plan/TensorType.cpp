#include "runtime/plan/TensorType.h"

namespace dtc {
namespace {
constexpr int maxRank = 32;
// No machine holds more; sums of a few such sizes still fit in 64 bits.
constexpr uint64_t maxTensorBytes = uint64_t(1) << 48;
} // namespace

Result<TensorType> TensorType::create(const proto::TensorType &type) {
  TensorType result;
  auto element = elementTypeFromNumber(type.element());
  if (!element)
    return Status::dataLoss(
        strCat("there is no element type ", int(type.element())));
  if (type.shape_size() > maxRank)
    return Status::dataLoss(
        strCat("rank ", type.shape_size(), " is over the limit of ", maxRank));
  result.element = *element;
  result.shape.assign(type.shape().begin(), type.shape().end());
  for (int64_t dim : result.shape) {
    if (dim < 0)
      return Status::dataLoss(strCat("dimension ", dim, " is negative"));
    if (!checkedMul(result.elements, dim, result.elements))
      return Status::dataLoss(strCat(result, " has too many elements"));
  }
  if (!checkedMul(result.elements, sizeBytes(*element), result.bytes) ||
      result.bytes > maxTensorBytes)
    return Status::dataLoss(strCat(result, " has too many bytes"));
  return result;
}

std::string TensorType::toString() const {
  std::string text = "tensor<";
  for (int64_t dim : shape)
    text += std::to_string(dim) + "x";
  text += name(element);
  return text + ">";
}

} // namespace dtc
