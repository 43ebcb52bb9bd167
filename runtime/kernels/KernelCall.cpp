#include "runtime/kernels/KernelCall.h"

using namespace dtc;

int64_t dtc::elementCount(const Shape &shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

AxisSplit dtc::splitAt(const Shape &shape, int64_t axis) {
  auto at = shape.begin() + axis;
  return {elementCount(Shape(shape.begin(), at)),
          elementCount(Shape(at + 1, shape.end()))};
}

std::string dtc::typeName(const TensorRef &tensor) {
  std::string text = "tensor<";
  for (int64_t dim : tensor.shape)
    text += std::to_string(dim) + "x";
  return text + std::string(name(tensor.element)) + ">";
}

Status KernelCall::error(const std::string &what) const {
  return Status::invalidArgument(op + ": " + what);
}

static Status checkTensor(const KernelCall &call, const TensorRef &tensor) {
  int64_t bytes = int64_t(sizeBytes(tensor.element));
  if (bytes == 0)
    return call.error(strCat(int(tensor.element), " is no element type"));
  for (int64_t dim : tensor.shape)
    if (dim < 0)
      return call.error("negative dimension in " + typeName(tensor));
  for (int64_t dim : tensor.shape)
    if (__builtin_mul_overflow(bytes, dim, &bytes))
      return call.error("too many elements in " + typeName(tensor));
  if (bytes != 0 && !tensor.data)
    return call.error("no data for " + typeName(tensor));
  return Status::ok();
}

Status KernelCall::check() const {
  for (const TensorRef &tensor : operands)
    DTC_RETURN_IF_ERROR(checkTensor(*this, tensor));
  for (const TensorRef &tensor : results)
    DTC_RETURN_IF_ERROR(checkTensor(*this, tensor));
  return Status::ok();
}

Status KernelCall::expectCounts(size_t operandCount, size_t resultCount) const {
  if (operands.size() == operandCount && results.size() == resultCount)
    return Status::ok();
  return error(strCat("takes ", operandCount, " operands and gives ",
                      resultCount, " results, not ", operands.size(), " and ",
                      results.size()));
}

Status KernelCall::expectShape(const TensorRef &tensor,
                               const Shape &shape) const {
  if (tensor.shape == shape)
    return Status::ok();
  return error(typeName(tensor) + " where " +
               typeName({tensor.element, shape, nullptr}) + " is right");
}

Status KernelCall::expectElement(const TensorRef &tensor,
                                 ElementType element) const {
  if (tensor.element == element)
    return Status::ok();
  return error(typeName(tensor) + " where elements of " +
               std::string(name(element)) + " are right");
}

Status KernelCall::expectFloat(const TensorRef &tensor) const {
  if (isFloat(tensor.element))
    return Status::ok();
  return error("works on floats only, not on " + typeName(tensor));
}

Status KernelCall::expectOneElement() const {
  ElementType element =
      operands.empty() ? results.front().element : operands.front().element;
  for (const TensorRef &tensor : operands)
    DTC_RETURN_IF_ERROR(expectElement(tensor, element));
  for (const TensorRef &tensor : results)
    DTC_RETURN_IF_ERROR(expectElement(tensor, element));
  return Status::ok();
}

namespace {
template <typename T>
Result<T> get(const KernelCall &call, const std::string &name,
              const char *kind) {
  auto it = call.attributes.find(name);
  if (it == call.attributes.end())
    return call.error("needs the attribute '" + name + "'");
  if (const T *value = std::get_if<T>(&it->second))
    return *value;
  return call.error("the attribute '" + name + "' must be " + kind);
}
} // namespace

Result<bool> KernelCall::flag(const std::string &name, bool fallback) const {
  if (!attributes.contains(name))
    return fallback;
  return get<bool>(*this, name, "a flag");
}

Result<int64_t> KernelCall::integer(const std::string &name) const {
  return get<int64_t>(*this, name, "an integer");
}

Result<double> KernelCall::real(const std::string &name) const {
  return get<double>(*this, name, "a real number");
}

Result<Shape> KernelCall::integers(const std::string &name) const {
  return get<Shape>(*this, name, "a list of integers");
}
