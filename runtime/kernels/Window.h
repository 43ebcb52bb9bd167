// The windows of convolutions and pools, from attributes that may come from a
// damaged plan. The arithmetic is that of dialects/graph/Windows.h, which the
// runtime may not know.
#pragma once

#include "runtime/kernels/KernelCall.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dtc {

/// One spatial dimension of a window that slides over an image.
struct Window {
  int64_t input, window, stride, dilation;
  int64_t before = 0; // padding
  int64_t output = 0;

  /// Where window element `tap` of output `o` lies; outside of [0, input) it
  /// is padding.
  int64_t place(int64_t o, int64_t tap) const {
    return o * stride + tap * dilation - before;
  }
  bool isInside(int64_t place) const { return place >= 0 && place < input; }
  /// The output whose window element `tap` lies at `place`, or -1.
  int64_t outputAt(int64_t place, int64_t tap) const;
  /// The window elements of output `o` that lie in the image, without
  /// dilation: [first, end).
  int64_t firstInside(int64_t o) const;
  int64_t endInside(int64_t o) const;
};

using Windows = std::array<Window, 2>; // height, width

/// Windows of size [height, width] over an image [batch, height, width,
/// channels], by the attributes `strides` and `padding` of the call.
Result<Windows> resolveWindows(const KernelCall &call, const TensorRef &image,
                               const Shape &window, const Shape &dilations);
/// Those of a filter [height, width, …, …], by the attribute `dilations` too.
Result<Windows> filterWindows(const KernelCall &call, const TensorRef &image,
                              const TensorRef &filter);

/// Calls f(index) for every index below `sizes`, in row-major order.
template <typename F>
void forEach(const std::array<int64_t, 4> &sizes, F f) {
  if (std::ranges::count(sizes, 0) != 0)
    return; // else the outer loops could be long ones around nothing
  std::array<int64_t, 4> at;
  for (at[0] = 0; at[0] < sizes[0]; ++at[0])
    for (at[1] = 0; at[1] < sizes[1]; ++at[1])
      for (at[2] = 0; at[2] < sizes[2]; ++at[2])
        for (at[3] = 0; at[3] < sizes[3]; ++at[3])
          f(std::as_const(at));
}

/// visitElement() for the element of the first operand, a float.
template <typename F>
Status visitFloat(const KernelCall &call, F f) {
  return visitElement(call.operands[0].element,
                      [&]<typename T>(std::type_identity<T> tag) {
                        if constexpr (std::is_floating_point_v<Compute<T>>)
                          f(tag);
                        return Status::ok();
                      });
}

} // namespace dtc
