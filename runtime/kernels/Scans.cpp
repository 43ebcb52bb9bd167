// cumsum along an axis, and top_k of the last dimension.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/Elementwise.h"

#include <algorithm>
#include <numeric>

using namespace dtc;

namespace {
/// A tensor as lines along an axis: element r of line i is at
/// begin(i) + r * stride.
struct Lines {
  int64_t count, length, stride;
  int64_t begin(int64_t i) const {
    return i / stride * stride * length + i % stride;
  }
};

Lines linesAlong(const Shape &shape, int64_t axis) {
  auto [before, stride] = splitAt(shape, axis);
  return {before * stride, shape[axis], stride};
}

template <typename T>
void scanLine(const T *x, T *y, const Lines &lines, bool exclusive,
              bool reverse) {
  Compute<T> sum(0);
  for (int64_t r = 0; r < lines.length; ++r) {
    int64_t at = (reverse ? lines.length - 1 - r : r) * lines.stride;
    Compute<T> next = arithmetic::Add()(sum, load(x, at));
    store(y, at, exclusive ? sum : next);
    sum = next;
  }
}

/// Writes the k largest of x[0 … length): larger first, then the lower index.
template <typename T>
void selectLargest(const T *x, int64_t length, int64_t k, T *values,
                   int32_t *indices) {
  std::vector<int64_t> order(length);
  std::iota(order.begin(), order.end(), 0);
  auto isBefore = [&](int64_t i, int64_t j) {
    Compute<T> a = load(x, i), b = load(x, j);
    bool isNaNA = a != a, isNaNB = b != b;
    if (isNaNA != isNaNB)
      return isNaNA;
    return a > b || (!(a < b) && i < j);
  };
  std::partial_sort(order.begin(), order.begin() + k, order.end(), isBefore);
  for (int64_t i = 0; i < k; ++i)
    values[i] = x[order[i]], indices[i] = int32_t(order[i]);
}
} // namespace

Status dtc::runCumsum(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  const TensorRef &x = call.operands[0], &y = call.results[0];
  DTC_RETURN_IF_ERROR(call.expectShape(y, x.shape));
  DTC_ASSIGN_OR_RETURN(int64_t axis, call.integer("axis"));
  DTC_ASSIGN_OR_RETURN(bool exclusive, call.flag("exclusive", false));
  DTC_ASSIGN_OR_RETURN(bool reverse, call.flag("reverse", false));
  if (axis < 0 || axis >= int64_t(x.shape.size()))
    return call.error(strCat("axis ", axis, " is not one of ", typeName(x)));
  Lines lines = linesAlong(x.shape, axis);
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < lines.count; ++i)
      scanLine(elements<T>(x) + lines.begin(i), elements<T>(y) + lines.begin(i),
               lines, exclusive, reverse);
    return Status::ok();
  });
}

Status dtc::runTopK(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 2));
  const TensorRef &x = call.operands[0], &values = call.results[0],
                  &indices = call.results[1];
  DTC_RETURN_IF_ERROR(call.expectElement(values, x.element));
  DTC_RETURN_IF_ERROR(call.expectElement(indices, ElementType::I32));
  DTC_ASSIGN_OR_RETURN(int64_t k, call.integer("k"));
  if (x.shape.empty())
    return call.error("needs a last dimension, got " + typeName(x));
  int64_t length = x.shape.back();
  if (k < 1 || k > length)
    return call.error(strCat("k is from 1 to ", length, ", not ", k));
  Shape shape = x.shape;
  shape.back() = k;
  DTC_RETURN_IF_ERROR(call.expectShape(values, shape));
  DTC_RETURN_IF_ERROR(call.expectShape(indices, shape));
  int64_t rows = elementCount(x.shape) / length;
  return visitNumber(call, [&]<typename T>(std::type_identity<T>) {
    for (int64_t row = 0; row < rows; ++row)
      selectLargest(elements<T>(x) + row * length, length, k,
                    elements<T>(values) + row * k,
                    elements<int32_t>(indices) + row * k);
    return Status::ok();
  });
}
