#include "runtime/kernels/Window.h"

using namespace dtc;

int64_t Window::outputAt(int64_t place, int64_t tap) const {
  int64_t distance = place + before - tap * dilation;
  if (distance < 0 || distance % stride != 0 || distance / stride >= output)
    return -1;
  return distance / stride;
}

int64_t Window::firstInside(int64_t o) const {
  return std::min(window, std::max<int64_t>(-place(o, 0), 0));
}

int64_t Window::endInside(int64_t o) const {
  return std::clamp<int64_t>(input - place(o, 0), firstInside(o), window);
}

/// Numbers beyond this could overflow, and no image is so large.
static constexpr int64_t kMostPixels = int64_t(1) << 31;

static Status checkNumbers(const KernelCall &call, const char *what,
                           const Shape &list, size_t count, int64_t least) {
  bool isRight = list.size() == count;
  for (int64_t number : list)
    isRight &= number >= least && number <= kMostPixels;
  if (isRight)
    return Status::ok();
  return call.error(
      strCat(what, " must be ", count, " numbers of at least ", least));
}

/// Top, bottom, left, right; nothing for "SAME".
static Result<std::optional<Shape>> explicitPadding(const KernelCall &call) {
  auto it = call.attributes.find("padding");
  if (it != call.attributes.end()) {
    if (auto *name = std::get_if<std::string>(&it->second)) {
      if (*name == "SAME")
        return std::optional<Shape>();
      if (*name == "VALID")
        return std::optional<Shape>({0, 0, 0, 0});
    }
    if (auto *list = std::get_if<Shape>(&it->second)) {
      DTC_RETURN_IF_ERROR(checkNumbers(call, "padding", *list, 4, 0));
      return std::optional<Shape>(*list);
    }
  }
  return call.error("needs padding: \"SAME\", \"VALID\" or four numbers");
}

Result<Windows> dtc::resolveWindows(const KernelCall &call,
                                    const TensorRef &image, const Shape &window,
                                    const Shape &dilations) {
  if (image.shape.size() != 4)
    return call.error("images are [batch, height, width, channels], not " +
                      typeName(image));
  Shape input = {image.shape[1], image.shape[2]};
  DTC_ASSIGN_OR_RETURN(Shape strides, call.integers("strides"));
  DTC_ASSIGN_OR_RETURN(std::optional<Shape> padding, explicitPadding(call));
  DTC_RETURN_IF_ERROR(checkNumbers(call, "image sizes", input, 2, 0));
  DTC_RETURN_IF_ERROR(checkNumbers(call, "window sizes", window, 2, 1));
  DTC_RETURN_IF_ERROR(checkNumbers(call, "strides", strides, 2, 1));
  DTC_RETURN_IF_ERROR(checkNumbers(call, "dilations", dilations, 2, 1));
  Windows windows;
  for (size_t axis = 0; axis < 2; ++axis) {
    Window w{input[axis], window[axis], strides[axis], dilations[axis]};
    int64_t reach = (w.window - 1) * w.dilation + 1;
    if (padding) {
      w.before = (*padding)[2 * axis];
      int64_t free = w.input + w.before + (*padding)[2 * axis + 1] - reach;
      if (free < 0)
        return call.error(strCat("a window that reaches over ", reach,
                                 " elements does not fit into ", free + reach));
      w.output = free / w.stride + 1;
    } else {
      w.output = w.input / w.stride + (w.input % w.stride != 0);
      int64_t needed = (w.output - 1) * w.stride + reach - w.input;
      w.before = std::max<int64_t>(needed, 0) / 2; // the odd one goes behind
    }
    windows[axis] = w;
  }
  return windows;
}

Result<Windows> dtc::filterWindows(const KernelCall &call,
                                   const TensorRef &image,
                                   const TensorRef &filter) {
  if (filter.shape.size() != 4)
    return call.error("filters are [height, width, in, out], not " +
                      typeName(filter));
  DTC_ASSIGN_OR_RETURN(Shape dilations, call.integers("dilations"));
  return resolveWindows(call, image, {filter.shape[0], filter.shape[1]},
                        dilations);
}
