// graph.depthwise_conv2d and its gradients: each channel c of x has filters of
// its own, whose results are the channels c * multiplier + m of y. Fused
// multiply-adds from +0; where the image or the gradient ends, 0 takes part.

#include "runtime/kernels/Window.h"

#include <cmath>

using namespace dtc;

namespace {
struct Depthwise {
  int64_t batch, channels, multiplier;
  Window h, w;

  int64_t x(int64_t n, int64_t i, int64_t j, int64_t c) const {
    return ((n * h.input + i) * w.input + j) * channels + c;
  }
  int64_t y(int64_t n, int64_t i, int64_t j, int64_t c, int64_t m) const {
    return (((n * h.output + i) * w.output + j) * channels + c) * multiplier +
           m;
  }
  int64_t filter(int64_t p, int64_t q, int64_t c, int64_t m) const {
    return ((p * w.window + q) * channels + c) * multiplier + m;
  }
  /// Calls f(n, i, j, c, m) for every element of y.
  template <typename F>
  void forEachOutput(F f) const {
    forEach({batch, h.output, w.output, channels}, [&](const auto &at) {
      auto [n, i, j, c] = at;
      for (int64_t m = 0; m < multiplier; ++m)
        f(n, i, j, c, m);
    });
  }
};

template <typename T>
Compute<T> loadX(const T *x, const Depthwise &s, int64_t n, int64_t i,
                 int64_t j, int64_t c) {
  bool isInside = s.h.isInside(i) && s.w.isInside(j);
  return isInside ? load(x, s.x(n, i, j, c)) : Compute<T>(0);
}

/// Summed over the filter's (height, width).
template <typename T>
void convolve(const KernelCall &call, const Depthwise &s) {
  const T *x = elements<T>(call.operands[0]),
          *filter = elements<T>(call.operands[1]);
  s.forEachOutput([&](int64_t n, int64_t i, int64_t j, int64_t c, int64_t m) {
    Compute<T> sum = 0;
    for (int64_t p = 0; p < s.h.window; ++p)
      for (int64_t q = 0; q < s.w.window; ++q)
        sum = std::fma(loadX(x, s, n, s.h.place(i, p), s.w.place(j, q), c),
                       load(filter, s.filter(p, q, c, m)), sum);
    store(elements<T>(call.results[0]), s.y(n, i, j, c, m), sum);
  });
}

/// Summed over the filter's (height, width, multiplier).
template <typename T>
void backpropInput(const KernelCall &call, const Depthwise &s) {
  const T *filter = elements<T>(call.operands[0]),
          *dy = elements<T>(call.operands[1]);
  forEach({s.batch, s.h.input, s.w.input, s.channels}, [&](const auto &at) {
    auto [n, i, j, c] = at;
    Compute<T> sum = 0;
    forEach({s.h.window, s.w.window, s.multiplier, 1}, [&](const auto &tap) {
      auto [p, q, m, one] = tap;
      int64_t oi = s.h.outputAt(i, p), oj = s.w.outputAt(j, q);
      Compute<T> gradient =
          oi >= 0 && oj >= 0 ? load(dy, s.y(n, oi, oj, c, m)) : Compute<T>(0);
      sum = std::fma(gradient, load(filter, s.filter(p, q, c, m)), sum);
    });
    store(elements<T>(call.results[0]), s.x(n, i, j, c), sum);
  });
}

/// Summed over (batch, height, width) of dy.
template <typename T>
void backpropFilter(const KernelCall &call, const Depthwise &s) {
  const T *x = elements<T>(call.operands[0]),
          *dy = elements<T>(call.operands[1]);
  forEach(
      {s.h.window, s.w.window, s.channels, s.multiplier}, [&](const auto &at) {
        auto [p, q, c, m] = at;
        Compute<T> sum = 0;
        for (int64_t n = 0; n < s.batch; ++n)
          for (int64_t i = 0; i < s.h.output; ++i)
            for (int64_t j = 0; j < s.w.output; ++j)
              sum =
                  std::fma(loadX(x, s, n, s.h.place(i, p), s.w.place(j, q), c),
                           load(dy, s.y(n, i, j, c, m)), sum);
        store(elements<T>(call.results[0]), s.filter(p, q, c, m), sum);
      });
}

/// The sizes of a convolution whose three tensors are given, checked.
Result<Depthwise> depthwise(const KernelCall &call, const TensorRef &x,
                            const TensorRef &filter, const TensorRef &y) {
  DTC_RETURN_IF_ERROR(call.expectFloat(x));
  DTC_RETURN_IF_ERROR(call.expectOneElement());
  DTC_ASSIGN_OR_RETURN(Windows windows, filterWindows(call, x, filter));
  if (filter.shape[2] != x.shape[3])
    return call.error(typeName(filter) + " does not read the channels of " +
                      typeName(x));
  Depthwise s{x.shape[0], x.shape[3], filter.shape[3], windows[0], windows[1]};
  int64_t channels;
  if (__builtin_mul_overflow(s.channels, s.multiplier, &channels))
    return call.error("too many channels");
  DTC_RETURN_IF_ERROR(
      call.expectShape(y, {s.batch, s.h.output, s.w.output, channels}));
  return s;
}
} // namespace

Status dtc::runDepthwise(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_ASSIGN_OR_RETURN(
      Depthwise s,
      depthwise(call, call.operands[0], call.operands[1], call.results[0]));
  return visitFloat(
      call, [&]<typename T>(std::type_identity<T>) { convolve<T>(call, s); });
}

Status dtc::runDepthwiseBackpropInput(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_ASSIGN_OR_RETURN(
      Depthwise s,
      depthwise(call, call.results[0], call.operands[0], call.operands[1]));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    backpropInput<T>(call, s);
  });
}

Status dtc::runDepthwiseBackpropFilter(const KernelCall &call) {
  DTC_RETURN_IF_ERROR(call.expectCounts(2, 1));
  DTC_ASSIGN_OR_RETURN(
      Depthwise s,
      depthwise(call, call.operands[0], call.results[0], call.operands[1]));
  return visitFloat(call, [&]<typename T>(std::type_identity<T>) {
    backpropFilter<T>(call, s);
  });
}
