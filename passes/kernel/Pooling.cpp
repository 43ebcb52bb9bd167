// max_pool, avg_pool and avg_pool's gradient: an index of the range is a pixel
// of the result; lanes go over its channels. Where a window leaves the image, a
// buffer of the fold's identity is read, which changes no bit.
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"
#include "passes/kernel/Taps.h"
#include <limits>

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

static graph::Windows poolWindows(Operation *op) {
  bool isGradient = isa<graph::AvgPoolGradOp>(op);
  Value image = isGradient ? op->getResult(0) : op->getOperand(0);
  return windowsOf(op, image,
                   op->getAttrOfType<DenseI64ArrayAttr>("window").asArrayRef());
}

Work dtc::kernel::poolWork(const BodyPlan &plan) {
  auto [h, w] = poolWindows(plan.form.root);
  ArrayRef<int64_t> shape = plan.form.shape;
  double taps = double(h.window) * double(w.window);
  double nanos = double(shape[3]) * (taps * 0.08 + epilogueNanos(plan));
  return {shape[0] * shape[1] * shape[2], nanos};
}

namespace {
class PoolEmitter {
public:
  explicit PoolEmitter(EmitContext &context);
  void emit();

private:
  Value fold(const Pixel &pixel, Value column, int64_t width);
  /// One tap of the gradient: the output's share.
  Value share(const Place &i, const Place &j, Value lanes);
  /// How many elements of the image the window of output o holds.
  Value countInside(const graph::Window &window, Value o);
  Value asLanes(Value count, int64_t width);

  EmitContext &context_;
  KernelBody &body_;
  LaneBuilder &b_;
  Operation *op_;
  bool isMax_, isGradient_;
  Type element_, type_;
  graph::Windows windows_;
  Image image_;
};
} // namespace

PoolEmitter::PoolEmitter(EmitContext &context)
    : context_(context), body_(context.body), b_(body_.builder()),
      op_(body_.plan().form.root), isMax_(isa<graph::MaxPoolOp>(op_)),
      isGradient_(isa<graph::AvgPoolGradOp>(op_)),
      element_(elementOf(op_->getResult(0))), type_(laneType(element_)),
      windows_(poolWindows(op_)) {
  ArrayRef<int64_t> shape = shapeOf(op_->getOperand(0));
  double identity = isMax_ ? -std::numeric_limits<double>::infinity() : 0;
  image_ = {element_,
            body_.pointerTo(op_->getOperand(0)),
            constantBuffer(b_, element_, identity, shape[3]),
            shape[1],
            shape[2],
            shape[3]};
}

void PoolEmitter::emit() {
  ArrayRef<int64_t> shape = body_.plan().form.shape;
  b_.loop(context_.begin, context_.end, 1, [&](Value row) {
    KernelBody::Row begun = body_.beginRow(row);
    Pixel pixel = splitPixel(b_, row, shape[1], shape[2]);
    forColumns(b_, shape[3], [&](Value column, int64_t width) {
      Value lanes = b_.round(element_, fold(pixel, column, width));
      body_.emit(begun, column, width, lanes);
    });
  });
}

Value PoolEmitter::countInside(const graph::Window &window, Value o) {
  Value first = b_.addIndex(b_.mulIndex(o, window.stride), -window.before);
  Value end =
      b_.minIndex(b_.addIndex(first, window.window), b_.index(window.input));
  Value count = arith::SubIOp::create(b_, end, b_.maxIndex(first, b_.index(0)));
  return b_.maxIndex(count, b_.index(0));
}

Value PoolEmitter::asLanes(Value count, int64_t width) {
  return b_.splat(arith::SIToFPOp::create(b_, type_, count), width);
}

Value PoolEmitter::share(const Place &i, const Place &j, Value lanes) {
  Value count = arith::MulIOp::create(b_, countInside(windows_[0], i.index),
                                      countInside(windows_[1], j.index));
  // Where there is no output, 0 / 1 is added.
  count = b_.select(arith::AndIOp::create(b_, i.isInside, j.isInside), count,
                    b_.index(1));
  return b_.div(lanes, asLanes(count, widthOf(lanes)));
}

Value PoolEmitter::fold(const Pixel &pixel, Value column, int64_t width) {
  auto &[h, w] = windows_;
  // The gradient meets the outputs in order, so the taps backwards.
  auto place = [&](const graph::Window &window, Value at, Value number) {
    if (!isGradient_)
      return readPlace(b_, window, at, number);
    Value tap = arith::SubIOp::create(b_, b_.index(window.window - 1), number);
    return spreadPlace(b_, window, at, tap);
  };
  auto tap = [&](const Place &i, const Place &j, Value total) {
    Value pointer = image_.pixel(b_, pixel.image, i, j);
    Value lanes = b_.load(element_, pointer, column, width);
    if (isMax_)
      return b_.maximum(type_, total, lanes);
    return b_.add(total, isGradient_ ? share(i, j, lanes) : lanes);
  };
  Value identity = b_.number(
      type_, isMax_ ? -std::numeric_limits<double>::infinity() : 0, width);
  Value total =
      b_.loop(b_.index(0), b_.index(h.window), 1, identity,
              [&](Value p, ValueRange totals) {
                Place i = place(h, pixel.i, p);
                return b_.loop(b_.index(0), b_.index(w.window), 1, totals,
                               [&](Value q, ValueRange totals) {
                                 Place j = place(w, pixel.j, q);
                                 return SmallVector<Value>{
                                     tap(i, j, totals.front())};
                               });
              })
          .front();
  if (isMax_ || isGradient_)
    return total;
  Value count = arith::MulIOp::create(b_, countInside(h, pixel.i),
                                      countInside(w, pixel.j));
  return b_.div(total, asLanes(count, width));
}

void dtc::kernel::emitPool(EmitContext &context) {
  PoolEmitter(context).emit();
}
