// softmax and softmax_cross_entropy: a row at a time, elements in the lanes.
// The range counts rows.
#include "dialects/graph/Ops.h"
#include "passes/kernel/LaneMath.h"
#include "passes/kernel/RootEmitters.h"
#include "passes/kernel/Tree.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

/// Elements of a row of the root's first operand.
static int64_t rowLength(const BodyPlan &plan) {
  return shapeOf(plan.form.root->getOperand(0)).back();
}

Work dtc::kernel::rowsWork(const BodyPlan &plan) {
  ArrayRef<int64_t> shape = shapeOf(plan.form.root->getOperand(0));
  int64_t rows = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  return {rows, double(shape.back()) * (1 + epilogueNanos(plan))};
}

namespace {
/// One row of logits: x, max x, and sum exp(x - max).
class LogitRow {
public:
  LogitRow(EmitContext &context, Value row)
      : body_(context.body), b_(body_.builder()), element_(elementOf(logits())),
        input_(body_.pointerTo(logits())), length_(rowLength(body_.plan())),
        begin_(b_.mulIndex(row, length_)) {
    Type type = laneType(element_);
    auto larger = [&](Value x, Value y) { return b_.maximum(element_, x, y); };
    double infinity = std::numeric_limits<double>::infinity();
    Tree tree{length_, b_.number(type, -infinity, 1), larger};
    maximum_ = reduceAlong(
        b_, tree, [&](Value i, int64_t width) { return load(i, width); });
  }

  Value load(Value i, int64_t width) {
    return b_.load(element_, input_, b_.addIndex(begin_, i), width);
  }
  /// exp(x - max) of elements [i, i + width).
  Value power(Value i, int64_t width) {
    return buildExp(b_, b_.sub(load(i, width), b_.splat(maximum_, width)));
  }
  /// Keeps each power at `stash` (a row of f32 or f64) when there is one.
  Value sum(Value stash) {
    auto add = [&](Value x, Value y) { return b_.add(x, y); };
    Tree tree{length_, b_.number(laneType(element_), 0, 1), add};
    return reduceAlong(b_, tree, [&](Value i, int64_t width) {
      Value lanes = power(i, width);
      if (stash)
        b_.store(element_, lanes, stash, b_.addIndex(begin_, i));
      return lanes;
    });
  }
  Value maximum() const { return maximum_; }
  Value begin() const { return begin_; }
  Type element() const { return element_; }

private:
  Value logits() { return body_.plan().form.root->getOperand(0); }

  KernelBody &body_;
  LaneBuilder &b_;
  Type element_;
  Value input_;
  int64_t length_;
  Value begin_, maximum_;
};
} // namespace

void dtc::kernel::emitSoftmax(EmitContext &context) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  Value result = body.plan().form.root->getResult(0);
  // Powers that do not stay in registers wait in the result's own memory,
  // where that holds them exactly; elsewhere they are computed again.
  bool isExact = laneType(elementOf(result)) == elementOf(result);
  Value stash = isExact && rowLength(body.plan()) > kLanes
                    ? body.outputOf(result)
                    : Value();
  b.loop(context.begin, context.end, 1, [&](Value index) {
    LogitRow row(context, index);
    Value sum = row.sum(stash);
    KernelBody::Row begun = body.beginRow(index);
    forColumns(b, rowLength(body.plan()), [&](Value column, int64_t width) {
      Value power = stash ? b.load(row.element(), stash,
                                   b.addIndex(row.begin(), column), width)
                          : row.power(column, width);
      Value lanes = b.div(power, b.splat(sum, width));
      body.emit(begun, column, width, b.round(row.element(), lanes));
    });
  });
}

void dtc::kernel::emitSoftmaxCrossEntropy(EmitContext &context) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  Operation *root = body.plan().form.root;
  int64_t columns = body.plan().space.columns();
  b.loop(context.begin, context.end, 1, [&](Value index) {
    LogitRow row(context, index);
    Value logSum = buildLog(b, row.sum(nullptr));
    Value labels = root->getOperand(1);
    Type integer = elementOf(labels);
    Value label =
        b.toIndex(integer, b.load(integer, body.pointerTo(labels), index, 1));
    // Unsigned: a negative label is a large one.
    Value isLabel = b.compare(arith::CmpIPredicate::ult, label,
                              b.index(rowLength(body.plan())));
    Value chosen = row.load(b.select(isLabel, label, b.index(0)), 1);
    Value loss = b.sub(logSum, b.sub(chosen, row.maximum()));
    Type type = loss.getType();
    double nan = std::numeric_limits<double>::quiet_NaN();
    loss =
        b.round(row.element(), b.select(isLabel, loss, b.number(type, nan, 1)));
    body.emit(body.beginRow(b.divIndex(index, columns)),
              b.remIndex(index, columns), 1, loss);
  });
}
