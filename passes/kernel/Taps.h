// Where the taps of a window read: what convolutions and pools share.
#ifndef DTC_PASSES_KERNEL_TAPS_H
#define DTC_PASSES_KERNEL_TAPS_H

#include "dialects/graph/Windows.h"
#include "passes/kernel/LaneBuilder.h"

namespace dtc::kernel {

/// The windows of a convolution or a pool of `window` over an image of type
/// `image`; verified ops only.
graph::Windows windowsOf(mlir::Operation *op, mlir::Value image,
                         llvm::ArrayRef<int64_t> window);

/// A pixel by the number of its row among all images' pixels.
struct Pixel {
  mlir::Value image, i, j;
};
Pixel splitPixel(LaneBuilder &b, mlir::Value row, int64_t height,
                 int64_t width);

/// A place along one dimension.
struct Place {
  mlir::Value index;
  mlir::Value isInside;
};
/// Where the window of output `o` has its element `tap` in the image.
Place readPlace(LaneBuilder &b, const graph::Window &window, mlir::Value o,
                mlir::Value tap);
/// The output whose window has its element `tap` at `place` of the image.
Place spreadPlace(LaneBuilder &b, const graph::Window &window,
                  mlir::Value place, mlir::Value tap);

/// A constant of `count` times `value`: what is read outside of an image.
mlir::Value constantBuffer(LaneBuilder &b, mlir::Type element, double value,
                           int64_t count);

/// Images to read pixels of; where there is none, `outside` is read.
struct Image {
  mlir::Type element;
  mlir::Value base, outside;
  int64_t height, width, channels;

  /// The first channel of a pixel.
  mlir::Value pixel(LaneBuilder &b, mlir::Value image, const Place &i,
                    const Place &j) const;
};

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_TAPS_H
