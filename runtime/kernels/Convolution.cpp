// graph.conv2d and its gradients. Each result element is one chain of fused
// multiply-adds from +0; where the image or the gradient ends, 0 takes part.

#include "runtime/kernels/Window.h"

#include <cmath>

using namespace dtc;

namespace {
/// x is [batch, height, width, in], the filter [height, width, in, out], and
/// y [batch, height, width, out].
struct Convolution {
  int64_t batch, in, out;
  Window h, w;

  int64_t x(int64_t n, int64_t i, int64_t j, int64_t c) const {
    return ((n * h.input + i) * w.input + j) * in + c;
  }
  int64_t y(int64_t n, int64_t i, int64_t j, int64_t c) const {
    return ((n * h.output + i) * w.output + j) * out + c;
  }
  int64_t filter(int64_t i, int64_t j, int64_t c, int64_t d) const {
    return ((i * w.window + j) * in + c) * out + d;
  }
};

/// An element of x, 0 outside of the image.
template <typename T>
Compute<T> loadX(const T *x, const Convolution &s, int64_t n, int64_t i,
                 int64_t j, int64_t c) {
  bool isInside = s.h.isInside(i) && s.w.isInside(j);
  return isInside ? load(x, s.x(n, i, j, c)) : Compute<T>(0);
}

/// An element of y, 0 where no window is.
template <typename T>
Compute<T> loadY(const T *y, const Convolution &s, int64_t n, int64_t i,
                 int64_t j, int64_t c) {
  return i >= 0 && j >= 0 ? load(y, s.y(n, i, j, c)) : Compute<T>(0);
}

template <typename T>
void convolve(const KernelCall &call, const Convolution &s) {
  const T *x = elements<T>(call.operands[0]),
          *filter = elements<T>(call.operands[1]);
  forEach({s.batch, s.h.output, s.w.output, s.out}, [&](const auto &at) {
    auto [n, i, j, d] = at;
    Compute<T> sum = 0;
    forEach({s.h.window, s.w.window, s.in, 1}, [&](const auto &tap) {
      auto [p, q, c, one] = tap;
      sum = std::fma(loadX(x, s, n, s.h.place(i, p), s.w.place(j, q), c),
                     load(filter, s.filter(p, q, c, d)), sum);
    });
    store(elements<T>(call.results[0]), s.y(n, i, j, d), sum);
  });
}

template <typename T>
void backpropInput(const KernelCall &call, const Convolution &s) {
  const T *filter = elements<T>(call.operands[0]),
          *dy = elements<T>(call.operands[1]);
  forEach({s.batch, s.h.input, s.w.input, s.in}, [&](const auto &at) {
    auto [n, i, j, c] = at;
    Compute<T> sum = 0;
    forEach({s.h.window, s.w.window, s.out, 1}, [&](const auto &tap) {
      auto [p, q, d, one] = tap;
      sum = std::fma(loadY(dy, s, n, s.h.outputAt(i, p), s.w.outputAt(j, q), d),
                     load(filter, s.filter(p, q, c, d)), sum);
    });
    store(elements<T>(call.results[0]), s.x(n, i, j, c), sum);
  });
}

template <typename T>
void backpropFilter(const KernelCall &call, const Convolution &s) {
  const T *x = elements<T>(call.operands[0]),
          *dy = elements<T>(call.operands[1]);
  forEach({s.h.window, s.w.window, s.in, s.out}, [&](const auto &at) {
    auto [p, q, c, d] = at;
    Compute<T> sum = 0;
    forEach({s.batch, s.h.output, s.w.output, 1}, [&](const auto &pixel) {
      auto [n, i, j, one] = pixel;
      sum = std::fma(loadX(x, s, n, s.h.place(i, p), s.w.place(j, q), c),
                     load(dy, s.y(n, i, j, d)), sum);
    });
    store(elements<T>(call.results[0]), s.filter(p, q, c, d), sum);
  });
}

/// The sizes of a convolution whose three tensors are given, checked.
Result<Convolution> convolution(const KernelCall &call, const TensorRef &x,
                                const TensorRef &filter, const TensorRef &y) {
  DTC_RETURN_IF_ERROR(call.expectFloat(x));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_ASSIGN_OR_RETURN(Windows windows, filterWindows(call, x, filter));
  if (filter.shape[2] != x.shape[3])
    return call.error(typeName(filter) + " does not read the channels of " +
                      typeName(x));
  Convolution s{x.shape[0], x.shape[3], filter.shape[3], windows[0],
                windows[1]};
  DTC_RETURN_IF_ERROR(
      call.expectShape(y, {s.batch, s.h.output, s.w.output, s.out}));
  return s;
}
} // namespace

Status dtc::runConv2d(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_ASSIGN_OR_RETURN(
      Convolution s,
      convolution(call, call.operands[0], call.operands[1], call.results[0]));
  return visitFloat(
      call, [&]<typename T>(std::type_identity<T>) { convolve<T>(call, s); });
}

Status dtc::runConv2dBackpropInput(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_ASSIGN_OR_RETURN(
      Convolution s,
      convolution(call, call.results[0], call.operands[0], call.operands[1]));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    backpropInput<T>(call, s);
  });
}

Status dtc::runConv2dBackpropFilter(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_ASSIGN_OR_RETURN(
      Convolution s,
      convolution(call, call.operands[0], call.results[0], call.operands[1]));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    backpropFilter<T>(call, s);
  });
}
