// reduce_sum, reduce_mean, reduce_max, reduce_min and reduce_prod over any
// axes, argmax and argmin over one.
// Several axes are one reduction over their elements in row-major order.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/CanonicalTree.h"
#include "runtime/kernels/KernelCall.h"

#include <algorithm>

using namespace dtc;
using namespace dtc::arithmetic;

namespace {
/// Where the elements of a group of dimensions lie, in row-major order.
class Offsets {
public:
  void add(int64_t size, int64_t stride) {
    dims_.insert(dims_.begin(), {size, stride});
    count_ *= size;
  }
  int64_t count() const { return count_; }
  int64_t operator()(int64_t index) const {
    int64_t offset = 0;
    for (auto [size, stride] : dims_) // innermost first
      offset += index % size * stride, index /= size;
    return offset;
  }

private:
  std::vector<std::pair<int64_t, int64_t>> dims_;
  int64_t count_ = 1;
};

struct ReduceShape {
  Offsets kept, reduced;
  Shape result;
};
} // namespace

static Result<std::vector<bool>> reducedDims(const KernelCall &call,
                                             const Shape &axes) {
  int64_t rank = int64_t(call.operands[0].shape.size());
  std::vector<bool> isReduced(rank, false);
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= rank)
      return call.error(
          strCat("axis ", axis, " is not one of ", typeName(call.operands[0])));
    if (isReduced[axis])
      return call.error(strCat("axis ", axis, " is given twice"));
    isReduced[axis] = true;
  }
  return isReduced;
}

static ReduceShape reduceShape(const Shape &shape,
                               const std::vector<bool> &isReduced,
                               bool keepDims) {
  ReduceShape result;
  int64_t stride = elementCount(shape);
  for (size_t i = 0; i < shape.size(); ++i) {
    // A dimension of size 0 leaves nothing to divide, and nothing to read.
    stride = shape[i] == 0 ? 0 : stride / shape[i];
    (isReduced[i] ? result.reduced : result.kept).add(shape[i], stride);
    if (!isReduced[i])
      result.result.push_back(shape[i]);
    else if (keepDims)
      result.result.push_back(1);
  }
  return result;
}

namespace {
template <typename T>
void reduceAll(const KernelCall &call, const ReduceShape &shape) {
  using C = Compute<T>;
  const T *x = elements<T>(call.operands[0]);
  int64_t count = shape.reduced.count();
  for (int64_t i = 0; i < shape.kept.count(); ++i) {
    auto element = [&, base = shape.kept(i)](int64_t r) {
      return load(x, base + shape.reduced(r));
    };
    C value;
    if (call.op == "graph.reduce_max")
      value = reduceByTree(count, Maximum::identity<C>(), Maximum(), element);
    else if (call.op == "graph.reduce_min")
      value = reduceByTree(count, Minimum::identity<C>(), Minimum(), element);
    else if (call.op == "graph.reduce_prod")
      value = reduceByTree(count, C(1), Mul(), element);
    else
      value = reduceByTree(count, C(0), Add(), element);
    if (call.op == "graph.reduce_mean")
      value = value / C(count);
    store(elements<T>(call.results[0]), i, value);
  }
}

/// The first of the largest (smallest); the first NaN when there is one.
template <typename T>
void argAll(const KernelCall &call, const ReduceShape &shape) {
  const T *x = elements<T>(call.operands[0]);
  bool isMax = call.op == "graph.argmax";
  for (int64_t i = 0; i < shape.kept.count(); ++i) {
    int64_t base = shape.kept(i), best = 0;
    Compute<T> extreme = load(x, base);
    for (int64_t r = 1; r < shape.reduced.count(); ++r) {
      Compute<T> value = load(x, base + shape.reduced(r));
      bool isBeyond = isMax ? value > extreme : value < extreme;
      if (isBeyond || (value != value && extreme == extreme))
        extreme = value, best = r;
    }
    store(elements<int64_t>(call.results[0]), i, best);
  }
}
} // namespace

Status dtc::runReduce(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  if (call.op == "graph.reduce_mean")
    DTC_RETURN_IF_ERROR(call.expectFloat(call.operands[0]));
  DTC_ASSIGN_OR_RETURN(Shape axes, call.integers("axes"));
  DTC_ASSIGN_OR_RETURN(std::vector<bool> isReduced, reducedDims(call, axes));
  DTC_ASSIGN_OR_RETURN(bool keepDims, call.flag("keep_dims", false));
  ReduceShape shape = reduceShape(call.operands[0].shape, isReduced, keepDims);
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], shape.result));
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T>) {
                        if constexpr (std::is_same_v<T, Boolean>)
                          return call.error("works on numbers, not on i1");
                        else
                          return reduceAll<T>(call, shape), Status::ok();
                      });
}

Status dtc::runArg(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_RETURN_IF_ERROR(call.expectElement(call.results[0], ElementType::I64));
  DTC_ASSIGN_OR_RETURN(int64_t axis, call.integer("axis"));
  DTC_ASSIGN_OR_RETURN(std::vector<bool> isReduced, reducedDims(call, {axis}));
  ReduceShape shape = reduceShape(call.operands[0].shape, isReduced, false);
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], shape.result));
  if (shape.kept.count() != 0 && shape.reduced.count() == 0)
    return call.error("no element to choose from in " +
                      typeName(call.operands[0]));
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T>) {
                        argAll<T>(call, shape);
                        return Status::ok();
                      });
}
