// graph.matmul and graph.batch_matmul: each output element is one chain of
// fused multiply-adds over the inner dimension, starting from +0.

#include "runtime/kernels/Broadcast.h"

#include <cmath>

using namespace dtc;

namespace {
/// Strides of the row, inner and column index in a and b.
struct MatMulShape {
  int64_t rows, inner, columns;
  int64_t aRow, aInner, bInner, bColumn;
};

/// One product; a, b and result are its first elements.
template <typename T>
void multiply(const MatMulShape &s, const T *a, const T *b, T *result) {
  using C = Compute<T>;
  for (int64_t i = 0; i < s.rows; ++i)
    for (int64_t j = 0; j < s.columns; ++j) {
      C sum = 0;
      for (int64_t k = 0; k < s.inner; ++k) {
        C x = load(a, i * s.aRow + k * s.aInner);
        C y = load(b, k * s.bInner + j * s.bColumn);
        sum = std::fma(x, y, sum);
      }
      store(result, i * s.columns + j, sum);
    }
}
} // namespace

/// The sizes of the product of the last two dimensions.
static Result<MatMulShape> matMulShape(const KernelCall &call) {
  const Shape &a = call.operands[0].shape, &b = call.operands[1].shape;
  DTC_ASSIGN_OR_RETURN(bool transposeA, call.flag("transpose_a", false));
  DTC_ASSIGN_OR_RETURN(bool transposeB, call.flag("transpose_b", false));
  MatMulShape s;
  s.rows = a[a.size() - (transposeA ? 1 : 2)];
  s.inner = a[a.size() - (transposeA ? 2 : 1)];
  s.columns = b[b.size() - (transposeB ? 2 : 1)];
  int64_t innerOfB = b[b.size() - (transposeB ? 1 : 2)];
  if (s.inner != innerOfB)
    return call.error(
        strCat("inner dimensions differ, ", s.inner, " and ", innerOfB));
  s.aRow = transposeA ? 1 : s.inner;
  s.aInner = transposeA ? s.rows : 1;
  s.bInner = transposeB ? 1 : s.columns;
  s.bColumn = transposeB ? s.inner : 1;
  return s;
}

static Shape batchOf(const TensorRef &tensor) {
  return {tensor.shape.begin(), tensor.shape.end() - 2};
}

template <typename T>
static void multiplyAll(const KernelCall &call, const MatMulShape &s) {
  const TensorRef &a = call.operands[0], &b = call.operands[1],
                  &result = call.results[0];
  Shape batch = batchOf(result);
  BroadcastIndex ofA(batchOf(a), batch), ofB(batchOf(b), batch);
  if (elementCount(result.shape) == 0)
    return;
  for (int64_t n = 0, count = elementCount(batch); n < count; ++n)
    multiply(s, elements<T>(a) + ofA(n) * s.rows * s.inner,
             elements<T>(b) + ofB(n) * s.inner * s.columns,
             elements<T>(result) + n * s.rows * s.columns);
}

Status dtc::runMatMul(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectFloat(call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  const TensorRef &a = call.operands[0], &b = call.operands[1];
  bool isBatched = call.op == "graph.batch_matmul";
  bool isMatrices = a.shape.size() == 2 && b.shape.size() == 2;
  if (isBatched ? a.shape.size() < 2 || b.shape.size() < 2 : !isMatrices)
    return call.error("multiplies matrices, not " + typeName(a) + " and " +
                      typeName(b));
  DTC_ASSIGN_OR_RETURN(MatMulShape shape, matMulShape(call));
  std::optional<Shape> result = commonShape(batchOf(a), batchOf(b));
  if (!result)
    return call.error("the dimensions before the last two differ in " +
                      typeName(a) + " and " + typeName(b));
  result->push_back(shape.rows);
  result->push_back(shape.columns);
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], *result));
  return visitElement(a.element, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<Compute<T>>)
      multiplyAll<T>(call, shape);
    return Status::ok();
  });
}
