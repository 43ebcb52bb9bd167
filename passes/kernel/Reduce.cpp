// reduce_sum, reduce_mean, reduce_max, reduce_min and reduce_prod, each output
// by the canonical tree.
//
// Where neighbouring outputs reduce neighbouring elements, 16 outputs are
// computed side by side, one in each lane (the range counts groups of 16);
// elsewhere one output at a time, its elements in the lanes (the range counts
// outputs).
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"
#include "passes/kernel/Tree.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

/// Whether outputs are computed side by side.
static bool isAcross(const BodyPlan &plan) {
  return plan.space.columns() > 1 && plan.space.strides.back().back() == 1;
}

static int64_t groupsInRow(const BodyPlan &plan) {
  return llvm::divideCeil(plan.space.columns(), kLanes);
}

Work dtc::kernel::reduceWork(const BodyPlan &plan) {
  double length = double(reducedSpace(plan.form.root).count());
  double nanos = epilogueNanos(plan) + 0.1 * length;
  if (isAcross(plan))
    return {plan.space.rows() * groupsInRow(plan), nanos * kLanes};
  return {plan.space.count(), nanos};
}

namespace {
class ReduceEmitter {
public:
  explicit ReduceEmitter(EmitContext &context)
      : context_(context), body_(context.body), b_(body_.builder()),
        root_(body_.plan().form.root), reduced_(reducedSpace(root_)),
        element_(elementOf(root_->getOperand(0))),
        input_(body_.pointerTo(root_->getOperand(0))) {}

  void emitAcross();
  void emitAlong();

private:
  Value combine(Value x, Value y) {
    if (isa<graph::ReduceMaxOp>(root_))
      return b_.maximum(element_, x, y);
    if (isa<graph::ReduceMinOp>(root_))
      return b_.minimum(element_, x, y);
    return isa<graph::ReduceProdOp>(root_) ? b_.product(x, y) : b_.sum(x, y);
  }
  Value identity();
  /// Where the index-th reduced element lies, from the first one.
  Value offsetOf(Value index);
  /// Elements [index, index + width) of the output whose first is at `base`.
  Value loadAlong(Value base, Value index, int64_t width);
  /// The op's result from the tree's: divides a mean, rounds.
  Value finish(Value lanes);
  void emitColumns(Value row, Value column, int64_t count);

  EmitContext &context_;
  KernelBody &body_;
  LaneBuilder &b_;
  Operation *root_;
  IterationSpace reduced_;
  Type element_;
  Value input_;
};
} // namespace

Value ReduceEmitter::identity() {
  Type type = laneType(element_);
  bool isMax = isa<graph::ReduceMaxOp>(root_);
  if (!isMax && !isa<graph::ReduceMinOp>(root_))
    return b_.number(type, isa<graph::ReduceProdOp>(root_) ? 1 : 0, 1);
  double infinity = std::numeric_limits<double>::infinity();
  if (isa<FloatType>(type))
    return b_.number(type, isMax ? -infinity : infinity, 1);
  unsigned bits = type.getIntOrFloatBitWidth();
  bool hasSign = !isUnsigned(element_);
  APInt least = hasSign ? APInt::getSignedMinValue(bits) : APInt(bits, 0);
  APInt most =
      hasSign ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  return b_.integer(type, (isMax ? least : most).getSExtValue(), 1);
}

Value ReduceEmitter::offsetOf(Value index) {
  Value offset = b_.index(0);
  for (size_t dim = reduced_.sizes.size(); dim-- > 0;) {
    Value coordinate =
        dim == 0 ? index : b_.remIndex(index, reduced_.sizes[dim]);
    offset =
        b_.addIndex(offset, b_.mulIndex(coordinate, reduced_.strides[0][dim]));
    if (dim != 0)
      index = b_.divIndex(index, reduced_.sizes[dim]);
  }
  return offset;
}

Value ReduceEmitter::loadAlong(Value base, Value index, int64_t width) {
  bool isContiguous = reduced_.sizes.size() == 1 && reduced_.strides[0][0] == 1;
  if (isContiguous || width == 1)
    return b_.load(element_, input_, b_.addIndex(base, offsetOf(index)), width);
  Value lanes = b_.number(laneType(element_), 0, width);
  for (int64_t l = 0; l < width; ++l) {
    Value offset = b_.addIndex(base, offsetOf(b_.addIndex(index, l)));
    lanes = b_.insert(b_.load(element_, input_, offset, 1), lanes, l);
  }
  return lanes;
}

Value ReduceEmitter::finish(Value lanes) {
  if (isa<graph::ReduceMeanOp>(root_))
    lanes = b_.div(lanes, b_.number(getElementTypeOrSelf(lanes),
                                    double(reduced_.count()), widthOf(lanes)));
  return b_.round(element_, lanes);
}

void ReduceEmitter::emitColumns(Value row, Value column, int64_t count) {
  // Sixteen accumulators must fit into the registers.
  int64_t most =
      context_.vectorBits / laneType(element_).getIntOrFloatBitWidth();
  most = std::min(most, kLanes);
  KernelBody::Row begun = body_.beginRow(row);
  Value base =
      b_.addIndex(body_.offsetInRow(row, body_.plan().sources.size()), column);
  auto combine = [&](Value x, Value y) { return this->combine(x, y); };
  for (int64_t first = 0; first < count; first += most) {
    int64_t width = std::min(most, count - first);
    Tree tree{reduced_.count(), identity(), combine};
    Value lanes = reduceAcross(b_, tree, width, [&](Value index) {
      Value offset = b_.addIndex(b_.addIndex(base, first), offsetOf(index));
      return b_.load(element_, input_, offset, width);
    });
    body_.emit(begun, b_.addIndex(column, first), width, finish(lanes));
  }
}

void ReduceEmitter::emitAcross() {
  const BodyPlan &plan = body_.plan();
  int64_t groups = groupsInRow(plan), rest = plan.space.columns() % kLanes;
  b_.loop(context_.begin, context_.end, 1, [&](Value index) {
    Value row = b_.divIndex(index, groups), group = b_.remIndex(index, groups);
    Value column = b_.mulIndex(group, kLanes);
    if (rest == 0)
      return emitColumns(row, column, kLanes);
    if (groups == 1)
      return emitColumns(row, b_.index(0), rest);
    Value isLast =
        b_.compare(arith::CmpIPredicate::eq, group, b_.index(groups - 1));
    b_.ifThen(
        isLast, [&] { emitColumns(row, column, rest); },
        [&] { emitColumns(row, column, kLanes); });
  });
}

void ReduceEmitter::emitAlong() {
  const BodyPlan &plan = body_.plan();
  auto combine = [&](Value x, Value y) { return this->combine(x, y); };
  b_.loop(context_.begin, context_.end, 1, [&](Value index) {
    int64_t columns = plan.space.columns();
    Value row = b_.divIndex(index, columns);
    Value column = b_.remIndex(index, columns);
    Value base =
        b_.addIndex(body_.offsetInRow(row, plan.sources.size()),
                    b_.mulIndex(column, plan.space.strides.back().back()));
    Tree tree{reduced_.count(), identity(), combine};
    Value lanes = reduceAlong(b_, tree, [&](Value i, int64_t width) {
      return loadAlong(base, i, width);
    });
    body_.emit(body_.beginRow(row), column, 1, finish(lanes));
  });
}

void dtc::kernel::emitReduce(EmitContext &context) {
  ReduceEmitter emitter(context);
  if (isAcross(context.body.plan()))
    emitter.emitAcross();
  else
    emitter.emitAlong();
}
