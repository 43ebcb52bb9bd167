// graph.max_pool, graph.avg_pool and their gradients. A window is walked row
// by row; what lies outside of the image takes no part.

#include "runtime/kernels/Arithmetic.h"
#include "runtime/kernels/Window.h"

using namespace dtc;

namespace {
struct Pool {
  int64_t batch, channels;
  Window h, w;

  int64_t x(int64_t n, int64_t i, int64_t j, int64_t c) const {
    return ((n * h.input + i) * w.input + j) * channels + c;
  }
  int64_t y(int64_t n, int64_t i, int64_t j, int64_t c) const {
    return ((n * h.output + i) * w.output + j) * channels + c;
  }
  Shape outputShape() const { return {batch, h.output, w.output, channels}; }
  /// How many elements of the image the window of an output holds.
  int64_t count(int64_t i, int64_t j) const {
    return (h.endInside(i) - h.firstInside(i)) *
           (w.endInside(j) - w.firstInside(j));
  }
  /// Calls f(i, j) for the elements of the image in the window of (oi, oj),
  /// until it returns false.
  template <typename F>
  void forWindow(int64_t oi, int64_t oj, F f) const {
    for (int64_t p = h.firstInside(oi); p < h.endInside(oi); ++p)
      for (int64_t q = w.firstInside(oj); q < w.endInside(oj); ++q)
        if (!f(h.place(oi, p), w.place(oj, q)))
          return;
  }
};

/// y = finish(fold of the window, its count).
template <typename T, typename Combine, typename Finish>
void pool(const KernelCall &call, const Pool &s, Compute<T> identity,
          Combine combine, Finish finish) {
  const T *x = elements<T>(call.operands[0]);
  forEach({s.batch, s.h.output, s.w.output, s.channels}, [&](const auto &at) {
    auto [n, oi, oj, c] = at;
    Compute<T> total = identity;
    s.forWindow(oi, oj, [&, n = n, c = c](int64_t i, int64_t j) {
      total = combine(total, load(x, s.x(n, i, j, c)));
      return true;
    });
    store(elements<T>(call.results[0]), s.y(n, oi, oj, c),
          finish(total, s.count(oi, oj)));
  });
}

/// Calls spread(n, oi, oj, c, sums) for the elements of dy in row-major order;
/// the sums, one an element of dx, become the result.
template <typename T, typename Spread>
void spreadGradient(const KernelCall &call, const Pool &s, Spread spread) {
  std::vector<Compute<T>> sums(size_t(elementCount(call.results[0].shape)));
  forEach({s.batch, s.h.output, s.w.output, s.channels}, [&](const auto &at) {
    auto [n, oi, oj, c] = at;
    spread(n, oi, oj, c, sums);
  });
  for (size_t i = 0; i < sums.size(); ++i)
    store(elements<T>(call.results[0]), int64_t(i), sums[i]);
}

template <typename T>
void maxPoolGrad(const KernelCall &call, const Pool &s) {
  using C = Compute<T>;
  const T *x = elements<T>(call.operands[0]),
          *y = elements<T>(call.operands[1]),
          *dy = elements<T>(call.operands[2]);
  spreadGradient<T>(
      call, s,
      [&](int64_t n, int64_t oi, int64_t oj, int64_t c, std::vector<C> &sums) {
        C largest = load(y, s.y(n, oi, oj, c));
        s.forWindow(oi, oj, [&](int64_t i, int64_t j) {
          C here = load(x, s.x(n, i, j, c));
          bool bothNaN = here != here && largest != largest;
          if (here != largest && !bothNaN)
            return true;
          sums[size_t(s.x(n, i, j, c))] += load(dy, s.y(n, oi, oj, c));
          return false;
        });
      });
}

template <typename T>
void avgPoolGrad(const KernelCall &call, const Pool &s) {
  using C = Compute<T>;
  const T *dy = elements<T>(call.operands[0]);
  spreadGradient<T>(
      call, s,
      [&](int64_t n, int64_t oi, int64_t oj, int64_t c, std::vector<C> &sums) {
        C share = load(dy, s.y(n, oi, oj, c)) / C(s.count(oi, oj));
        s.forWindow(oi, oj, [&](int64_t i, int64_t j) {
          sums[size_t(s.x(n, i, j, c))] += share;
          return true;
        });
      });
}

/// The sizes of a pool over images like x, checked.
Result<Pool> poolOver(const KernelCall &call, const TensorRef &x) {
  DTC_RETURN_IF_ERROR(call.expectFloat(x));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_ASSIGN_OR_RETURN(Shape window, call.integers("window"));
  DTC_ASSIGN_OR_RETURN(Windows windows,
                       resolveWindows(call, x, window, {1, 1}));
  return Pool{x.shape[0], x.shape[3], windows[0], windows[1]};
}
} // namespace

Status dtc::runMaxPool(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_ASSIGN_OR_RETURN(Pool s, poolOver(call, call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], s.outputShape()));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    pool<T>(call, s, arithmetic::Maximum::identity<Compute<T>>(),
            arithmetic::Maximum(), [](auto total, int64_t) { return total; });
  });
}

Status dtc::runAvgPool(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_ASSIGN_OR_RETURN(Pool s, poolOver(call, call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectShape(call.results[0], s.outputShape()));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    pool<T>(call, s, 0, arithmetic::Add(), [](auto total, int64_t count) {
      return total / Compute<T>(count);
    });
  });
}

Status dtc::runMaxPoolGrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(3, 1));
  DTC_ASSIGN_OR_RETURN(Pool s, poolOver(call, call.operands[0]));
  DTC_RETURN_IF_ERROR(call.expectShape(call.operands[1], s.outputShape()));
  DTC_RETURN_IF_ERROR(call.expectShape(call.operands[2], s.outputShape()));
  DTC_RETURN_IF_ERROR(
      call.expectShape(call.results[0], call.operands[0].shape));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    maxPoolGrad<T>(call, s);
  });
}

Status dtc::runAvgPoolGrad(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(1, 1));
  DTC_ASSIGN_OR_RETURN(Pool s, poolOver(call, call.results[0]));
  DTC_RETURN_IF_ERROR(call.expectShape(call.operands[0], s.outputShape()));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    avgPoolGrad<T>(call, s);
  });
}
