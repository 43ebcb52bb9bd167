// graph.matmul: each output element is one chain of fused multiply-adds over
// the inner dimension, starting from +0.

#include "runtime/kernels/KernelCall.h"

#include <cmath>

using namespace dtc;

namespace {
/// Strides of the row, inner and column index in a and b.
struct MatMulShape {
  int64_t rows, inner, columns;
  int64_t aRow, aInner, bInner, bColumn;
};

template <typename T>
void multiply(const KernelCall &call, const MatMulShape &s) {
  using C = Compute<T>;
  const T *a = elements<T>(call.operands[0]),
          *b = elements<T>(call.operands[1]);
  for (int64_t i = 0; i < s.rows; ++i)
    for (int64_t j = 0; j < s.columns; ++j) {
      C sum = 0;
      for (int64_t k = 0; k < s.inner; ++k) {
        C x = load(a, i * s.aRow + k * s.aInner);
        C y = load(b, k * s.bInner + j * s.bColumn);
        sum = std::fma(x, y, sum);
      }
      store(elements<T>(call.results[0]), i * s.columns + j, sum);
    }
}
} // namespace

static Result<MatMulShape> matMulShape(const KernelCall &call) {
  const TensorRef &a = call.operands[0], &b = call.operands[1];
  if (a.shape.size() != 2 || b.shape.size() != 2)
    return call.error("multiplies matrices, not " + typeName(a) + " and " +
                      typeName(b));
  DTC_ASSIGN_OR_RETURN(bool transposeA, call.flag("transpose_a", false));
  DTC_ASSIGN_OR_RETURN(bool transposeB, call.flag("transpose_b", false));
  MatMulShape s;
  s.rows = a.shape[transposeA ? 1 : 0];
  s.inner = a.shape[transposeA ? 0 : 1];
  s.columns = b.shape[transposeB ? 0 : 1];
  int64_t innerOfB = b.shape[transposeB ? 1 : 0];
  if (s.inner != innerOfB)
    return call.error(
        strCat("inner dimensions differ, ", s.inner, " and ", innerOfB));
  s.aRow = transposeA ? 1 : s.inner;
  s.aInner = transposeA ? s.rows : 1;
  s.bInner = transposeB ? 1 : s.columns;
  s.bColumn = transposeB ? s.inner : 1;
  return s;
}

Status dtc::runMatMul(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_RETURN_IF_ERROR(call.expectFloat(call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_ASSIGN_OR_RETURN(MatMulShape shape, matMulShape(call));
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], {shape.rows, shape.columns}));
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T>) {
                        if constexpr (std::is_same_v<T, Boolean>)
                          return call.error("works on numbers, not on i1");
                        else
                          return multiply<T>(call, shape), Status::ok();
                      });
}
