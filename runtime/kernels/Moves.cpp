// Operations that put elements elsewhere: transpose, slices, pads, tile, and
// the gradients of slices and pads.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/KernelCall.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace dtc;

namespace {
/// A place in a tensor, counted up in row-major order.
class Odometer {
public:
  explicit Odometer(const Shape &shape) : shape_(shape), at_(shape.size()) {}
  const Shape &at() const { return at_; }
  void next() {
    for (size_t i = shape_.size(); i-- > 0 && ++at_[i] == shape_[i];)
      at_[i] = 0;
  }

private:
  const Shape &shape_;
  Shape at_;
};

/// The row-major number of a place.
int64_t offsetOf(const Shape &at, const Shape &shape) {
  int64_t offset = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    offset = offset * shape[i] + at[i];
  return offset;
}

/// For each place of `shape`, in order, f(number, place).
template <typename F>
void forEachPlace(const Shape &shape, F f) {
  Odometer place(shape);
  for (int64_t i = 0, n = elementCount(shape); i < n; ++i, place.next())
    f(i, place.at());
}

/// y[place] = x[from(place)], bytes as they are.
template <typename From>
void copyFrom(const KernelCall &call, From from) {
  const TensorRef &x = call.operands[0], &y = call.results[0];
  size_t size = sizeBytes(y.element);
  forEachPlace(y.shape, [&](int64_t i, const Shape &place) {
    std::memcpy(y.data + i * size,
                x.data + offsetOf(from(place), x.shape) * size, size);
  });
}

/// The attribute's list, one number a dimension.
Result<Shape> perDimension(const KernelCall &call, const std::string &name,
                           size_t rank) {
  DTC_ASSIGN_OR_RETURN(Shape list, call.integers(name));
  if (list.size() != rank)
    return call.error(strCat("'", name, "' has ", list.size(), " numbers for ",
                             rank, " dimensions"));
  return list;
}

/// One operand and one result of one element type.
Status expectMove(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  return call.expectOneElement();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

struct Range {
  int64_t begin, size, stride;
};

/// dialects/graph/Slices.h says what a strided slice takes; the runtime may not
/// know it.
Range resolve(int64_t dim, int64_t begin, int64_t end, int64_t stride) {
  bool isForward = stride > 0;
  int64_t low = isForward ? 0 : -1, high = isForward ? dim : dim - 1;
  auto position = [&](int64_t value) {
    if (value < 0)
      value = value < -dim ? low : value + dim;
    return std::clamp(value, low, std::max(low, high));
  };
  int64_t first = position(begin), last = position(end);
  int64_t distance = isForward ? last - first : first - last;
  int64_t step =
      stride < -dim || stride > dim ? dim + 1 : (isForward ? stride : -stride);
  int64_t size = distance > 0 ? (distance + step - 1) / step : 0;
  return {size ? first : 0, size, isForward ? step : -step};
}

/// What `begin`, `end` and `strides` take of `shape`.
Result<std::vector<Range>> sliceRanges(const KernelCall &call,
                                       const Shape &shape) {
  size_t rank = shape.size();
  DTC_ASSIGN_OR_RETURN(Shape begin, perDimension(call, "begin", rank));
  DTC_ASSIGN_OR_RETURN(Shape end, perDimension(call, "end", rank));
  DTC_ASSIGN_OR_RETURN(Shape strides, perDimension(call, "strides", rank));
  std::vector<Range> ranges;
  for (size_t i = 0; i < rank; ++i) {
    if (strides[i] == 0)
      return call.error("a stride must not be 0");
    ranges.push_back(resolve(shape[i], begin[i], end[i], strides[i]));
  }
  return ranges;
}

Shape sizesOf(const std::vector<Range> &ranges) {
  Shape sizes;
  for (const Range &range : ranges)
    sizes.push_back(range.size);
  return sizes;
}

Shape placeIn(const std::vector<Range> &ranges, const Shape &place) {
  Shape from(place);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = ranges[i].begin + place[i] * ranges[i].stride;
  return from;
}

//===----------------------------------------------------------------------===//
// Pads
//===----------------------------------------------------------------------===//

/// Checks before and after, and that `large` is `small` with them.
Result<Shape> padBefore(const KernelCall &call, const Shape &small,
                        const TensorRef &large, bool isReflect) {
  DTC_ASSIGN_OR_RETURN(Shape before,
                       perDimension(call, "before", small.size()));
  DTC_ASSIGN_OR_RETURN(Shape after, perDimension(call, "after", small.size()));
  if (large.shape.size() != small.size())
    return call.error("ranks differ");
  for (size_t i = 0; i < small.size(); ++i) {
    // Bounded by what is there, so that no sum overflows.
    bool fits = before[i] >= 0 && after[i] >= 0 &&
                before[i] <= large.shape[i] && after[i] <= large.shape[i] &&
                before[i] + small[i] + after[i] == large.shape[i];
    int64_t most = std::max<int64_t>(small[i] - 1, 0);
    if (!fits || (isReflect && (before[i] > most || after[i] > most)))
      return call.error(strCat("padding of dimension ", i, " by ", before[i],
                               " and ", after[i], " does not make ",
                               large.shape[i], " of ", small[i]));
  }
  return before;
}

/// Where a reflected pad reads: mirrored at both ends.
Shape reflected(const Shape &place, const Shape &before, const Shape &small) {
  Shape from(place);
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t at = place[i] - before[i];
    at = at < 0 ? -at : at;
    from[i] = at >= small[i] ? 2 * (small[i] - 1) - at : at;
  }
  return from;
}

/// The bytes of `value` as an element.
Status fillWith(const TensorRef &tensor, double value) {
  return visitElement(tensor.element, [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0, n = elementCount(tensor.shape); i < n; ++i)
      store(elements<T>(tensor), i, arithmetic::convert<Compute<T>>(value));
    return Status::ok();
  });
}

/// dx[place] = the sum of dy over the places that reflect it.
template <typename T>
void addReflected(const TensorRef &dy, const TensorRef &dx,
                  const Shape &before) {
  std::vector<Compute<T>> sums(elementCount(dx.shape));
  forEachPlace(dy.shape, [&](int64_t i, const Shape &place) {
    sums[offsetOf(reflected(place, before, dx.shape), dx.shape)] +=
        load(elements<T>(dy), i);
  });
  for (size_t i = 0; i < sums.size(); ++i)
    store(elements<T>(dx), int64_t(i), sums[i]);
}

void padConstant(const KernelCall &call, const Shape &before) {
  const TensorRef &x = call.operands[0], &y = call.results[0];
  size_t size = sizeBytes(y.element);
  forEachPlace(x.shape, [&](int64_t i, Shape place) {
    for (size_t k = 0; k < place.size(); ++k)
      place[k] += before[k];
    std::memcpy(y.data + offsetOf(place, y.shape) * size, x.data + i * size,
                size);
  });
}
} // namespace

Status dtc::runTranspose(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  const Shape &from = call.operands[0].shape;
  DTC_ASSIGN_OR_RETURN(Shape perm, perDimension(call, "perm", from.size()));
  std::vector<bool> seen(perm.size());
  Shape shape;
  for (int64_t axis : perm) {
    if (axis < 0 || axis >= int64_t(perm.size()) || seen[axis])
      return call.error("'perm' is no permutation");
    seen[axis] = true;
    shape.push_back(from[axis]);
  }
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], shape));
  Shape source(perm.size());
  copyFrom(call, [&](const Shape &place) -> const Shape & {
    for (size_t i = 0; i < perm.size(); ++i)
      source[perm[i]] = place[i];
    return source;
  });
  return Status::ok();
}

Status dtc::runSlice(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  const Shape &from = call.operands[0].shape;
  DTC_ASSIGN_OR_RETURN(Shape begin, perDimension(call, "begin", from.size()));
  DTC_ASSIGN_OR_RETURN(Shape size, perDimension(call, "size", from.size()));
  for (size_t i = 0; i < from.size(); ++i)
    if (begin[i] < 0 || size[i] < 0 || begin[i] > from[i] ||
        size[i] > from[i] - begin[i])
      return call.error(strCat("dimension ", i, " has no ", size[i],
                               " elements from ", begin[i]));
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], size));
  copyFrom(call, [&](Shape place) {
    for (size_t i = 0; i < place.size(); ++i)
      place[i] += begin[i];
    return place;
  });
  return Status::ok();
}

Status dtc::runStridedSlice(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  DTC_ASSIGN_OR_RETURN(std::vector<Range> ranges,
                       sliceRanges(call, call.operands[0].shape));
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], sizesOf(ranges)));
  copyFrom(call, [&](const Shape &place) { return placeIn(ranges, place); });
  return Status::ok();
}

Status dtc::runStridedSliceGrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  const TensorRef &dy = call.operands[0], &dx = call.results[0];
  DTC_ASSIGN_OR_RETURN(std::vector<Range> ranges, sliceRanges(call, dx.shape));
  DTC_RETURN_IF_ERROR(call.expectShape(dy, sizesOf(ranges)));
  DTC_RETURN_IF_ERROR(fillWith(dx, 0));
  size_t size = sizeBytes(dx.element);
  forEachPlace(dy.shape, [&](int64_t i, const Shape &place) {
    std::memcpy(dx.data + offsetOf(placeIn(ranges, place), dx.shape) * size,
                dy.data + i * size, size);
  });
  return Status::ok();
}

Status dtc::runPad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  DTC_ASSIGN_OR_RETURN(bool isReflect, call.flag("reflect", false));
  const Shape &small = call.operands[0].shape;
  DTC_ASSIGN_OR_RETURN(Shape before,
                       padBefore(call, small, call.results[0], isReflect));
  if (isReflect) {
    copyFrom(call, [&](const Shape &place) {
      return reflected(place, before, small);
    });
    return Status::ok();
  }
  DTC_ASSIGN_OR_RETURN(double value, call.real("value"));
  DTC_RETURN_IF_ERROR(fillWith(call.results[0], value));
  padConstant(call, before);
  return Status::ok();
}

Status dtc::runMirrorPadGrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  const TensorRef &dy = call.operands[0], &dx = call.results[0];
  DTC_RETURN_IF_ERROR(call.expectFloat(dy));
  DTC_ASSIGN_OR_RETURN(Shape before, padBefore(call, dx.shape, dy, true));
  return visitElement(dx.element, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<Compute<T>>)
      addReflected<T>(dy, dx, before);
    return Status::ok();
  });
}

Status dtc::runTile(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  const Shape &from = call.operands[0].shape, &to = call.results[0].shape;
  DTC_ASSIGN_OR_RETURN(Shape multiples,
                       perDimension(call, "multiples", from.size()));
  if (to.size() != from.size())
    return call.error("ranks differ");
  for (size_t i = 0; i < from.size(); ++i)
    if (multiples[i] < 0 ||
        (from[i] == 0
             ? to[i] != 0
             : to[i] % from[i] != 0 || to[i] / from[i] != multiples[i]))
      return call.error(strCat("dimension ", i, " of ", from[i], ", ",
                               multiples[i], " times, is not ", to[i]));
  copyFrom(call, [&](Shape place) {
    for (size_t i = 0; i < place.size(); ++i)
      place[i] %= from[i];
    return place;
  });
  return Status::ok();
}

Status dtc::runFill(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(expectMove(call));
  DTC_RETURN_IF_ERROR(call.expectShape(call.operands[0], {}));
  copyFrom(call, [](const Shape &) { return Shape(); });
  return Status::ok();
}

Status dtc::runRange(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(0, 1));
  DTC_ASSIGN_OR_RETURN(double start, call.real("start"));
  DTC_ASSIGN_OR_RETURN(double delta, call.real("delta"));
  const TensorRef &y = call.results[0];
  if (!std::isfinite(start) || !std::isfinite(delta))
    return call.error("starts and goes on by finite numbers");
  return visitElement(y.element, [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0, n = elementCount(y.shape); i < n; ++i)
      store(elements<T>(y), i,
            arithmetic::convert<Compute<T>>(start + double(i) * delta));
    return Status::ok();
  });
}
