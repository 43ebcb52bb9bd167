// max_pool_grad: an index of the range is a vector of channels of one image,
// whose dx is filled with zeros and then added to, output by output, in the
// reference's order. What is left of dy is carried through the window: the
// first element that equals y takes it all, and zeros change no bit of dx.
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"
#include "passes/kernel/Taps.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

Work dtc::kernel::maxPoolGradWork(const BodyPlan &plan) {
  auto op = cast<graph::MaxPoolGradOp>(plan.form.root);
  ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getY());
  double taps = double(op.getWindow()[0]) * double(op.getWindow()[1]);
  double nanos =
      double(kLanes) * 0.1 *
      (double(x[1]) * double(x[2]) + double(y[1]) * double(y[2]) * taps);
  return {x[0] * llvm::divideCeil(x[3], kLanes), nanos};
}

namespace {
class MaxPoolGradEmitter {
public:
  explicit MaxPoolGradEmitter(EmitContext &context)
      : body_(context.body), b_(body_.builder()),
        op_(cast<graph::MaxPoolGradOp>(body_.plan().form.root)),
        element_(elementOf(op_.getDx())), shape_(shapeOf(op_.getX())),
        windows_(windowsOf(op_, op_.getX(), op_.getWindow())),
        x_(body_.pointerTo(op_.getX())), y_(body_.pointerTo(op_.getY())),
        dy_(body_.pointerTo(op_.getDy())), dx_(body_.outputOf(op_.getDx())) {}

  /// The gradient of channels [column, column + width) of an image.
  void emit(Value image, Value column, int64_t width);

private:
  void spread(Value image, Value i, Value j, Value column, int64_t width);
  /// What is left of the gradient behind one element of the window.
  Value take(Value offset, Value largest, Value gradient);
  Value offsetOf(Value image, Value i, Value j, int64_t height, int64_t width,
                 Value column);

  KernelBody &body_;
  LaneBuilder &b_;
  graph::MaxPoolGradOp op_;
  Type element_;
  ArrayRef<int64_t> shape_;
  graph::Windows windows_;
  Value x_, y_, dy_, dx_;
};

/// The elements of a window that lie in the image: places [first, end).
struct Extent {
  Value first, end;
};
} // namespace

static Extent extentOf(LaneBuilder &b, const graph::Window &window, Value o) {
  Value first = b.addIndex(b.mulIndex(o, window.stride), -window.before);
  Value end =
      b.minIndex(b.addIndex(first, window.window), b.index(window.input));
  return {b.maxIndex(first, b.index(0)), end};
}

Value MaxPoolGradEmitter::offsetOf(Value image, Value i, Value j,
                                   int64_t height, int64_t width,
                                   Value column) {
  Value row = b_.addIndex(b_.mulIndex(image, height), i);
  Value pixel = b_.addIndex(b_.mulIndex(row, width), j);
  return b_.addIndex(b_.mulIndex(pixel, shape_[3]), column);
}

Value MaxPoolGradEmitter::take(Value offset, Value largest, Value gradient) {
  int64_t width = widthOf(gradient);
  Value x = b_.load(element_, x_, offset, width);
  Value isEqual = b_.compare(arith::CmpFPredicate::OEQ, x, largest);
  Value areNaN = arith::AndIOp::create(
      b_, b_.compare(arith::CmpFPredicate::UNO, x, x),
      b_.compare(arith::CmpFPredicate::UNO, largest, largest));
  Value isHere = arith::OrIOp::create(b_, isEqual, areNaN);
  Value zero = b_.number(element_, 0, width);
  Value dx = b_.load(element_, dx_, offset, width);
  b_.store(element_, b_.add(dx, b_.select(isHere, gradient, zero)), dx_,
           offset);
  return b_.select(isHere, zero, gradient);
}

void MaxPoolGradEmitter::spread(Value image, Value i, Value j, Value column,
                                int64_t width) {
  auto &[h, w] = windows_;
  Value output = offsetOf(image, i, j, h.output, w.output, column);
  Value largest = b_.load(element_, y_, output, width);
  Value gradient = b_.load(element_, dy_, output, width);
  Extent lines = extentOf(b_, h, i), places = extentOf(b_, w, j);
  b_.loop(lines.first, lines.end, 1, gradient, [&](Value p, ValueRange left) {
    return b_.loop(
        places.first, places.end, 1, left, [&](Value q, ValueRange left) {
          Value offset = offsetOf(image, p, q, h.input, w.input, column);
          return SmallVector<Value>{take(offset, largest, left.front())};
        });
  });
}

void MaxPoolGradEmitter::emit(Value image, Value column, int64_t width) {
  auto &[h, w] = windows_;
  Value zero = b_.number(element_, 0, width), none = b_.index(0);
  int64_t lines = h.output, places = w.output;
  b_.loop(none, b_.index(h.input * w.input), 1, [&](Value pixel) {
    Value offset = offsetOf(image, none, pixel, shape_[1], shape_[2], column);
    b_.store(element_, zero, dx_, offset);
  });
  b_.loop(none, b_.index(lines), 1, [&](Value i) {
    b_.loop(none, b_.index(places), 1,
            [&](Value j) { spread(image, i, j, column, width); });
  });
}

void dtc::kernel::emitMaxPoolGrad(EmitContext &context) {
  LaneBuilder &b = context.body.builder();
  int64_t channels = context.body.plan().form.shape[3];
  int64_t units = llvm::divideCeil(channels, kLanes), rest = channels % kLanes;
  MaxPoolGradEmitter emitter(context);
  b.loop(context.begin, context.end, 1, [&](Value index) {
    Value image = b.divIndex(index, units), unit = b.remIndex(index, units);
    Value column = b.mulIndex(unit, kLanes);
    if (rest == 0)
      return emitter.emit(image, column, kLanes);
    if (units == 1)
      return emitter.emit(image, column, rest);
    b.ifThen(
        b.compare(arith::CmpIPredicate::eq, unit, b.index(units - 1)),
        [&] { emitter.emit(image, column, rest); },
        [&] { emitter.emit(image, column, kLanes); });
  });
}
