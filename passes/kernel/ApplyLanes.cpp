// Each slot is a result: it rounds before the variable uses it. Otherwise one
// rounding an operation of the lanes, in the reference kernels' order.
#include "passes/kernel/ApplyLanes.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/Fusion.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

using Lanes = SmallVector<Value>;

/// An attribute's number in every lane, as the lanes' type has it.
static Value numberLike(LaneBuilder &b, const APFloat &value, Value like) {
  return b.number(getElementTypeOrSelf(like), value.convertToDouble(),
                  widthOf(like));
}

/// 1 - value, computed at run time's precision.
static Value oneMinus(LaneBuilder &b, const APFloat &value, Value like) {
  Value one = b.number(getElementTypeOrSelf(like), 1, widthOf(like));
  return b.sub(one, numberLike(b, value, like));
}

static Lanes build(LaneBuilder &b, graph::ApplyGradientDescentOp,
                   ValueRange in) {
  return {b.sub(in[0], b.mul(in[1], in[2]))};
}

static Lanes build(LaneBuilder &b, graph::ApplyMomentumOp op, ValueRange in) {
  Value momentum = numberLike(b, op.getMomentum(), in[0]), rate = in[3];
  Value slot = b.add(b.mul(in[1], momentum), in[2]);
  slot = b.round(elementOf(op.getNewSlot()), slot);
  Value change = b.mul(slot, rate);
  if (op.getNesterov())
    change = b.add(b.mul(in[2], rate), b.mul(b.mul(slot, momentum), rate));
  return {b.sub(in[0], change), slot};
}

static Lanes build(LaneBuilder &b, graph::ApplyAdagradOp op, ValueRange in) {
  Value sum = b.add(in[1], b.mul(in[2], in[2]));
  sum = b.round(elementOf(op.getNewAccumulator()), sum);
  Value root = b.add(b.sqrt(sum), numberLike(b, op.getEpsilon(), in[0]));
  return {b.sub(in[0], b.div(b.mul(in[2], in[3]), root)), sum};
}

/// slot + (sample - slot) * (1 - decay), rounded.
static Value buildAverage(LaneBuilder &b, Value slot, Value sample,
                          const APFloat &decay, Type element) {
  Value change = b.mul(b.sub(sample, slot), oneMinus(b, decay, slot));
  return b.round(element, b.add(slot, change));
}

static Lanes build(LaneBuilder &b, graph::ApplyAdamOp op, ValueRange in) {
  Type element = elementOf(op.getNewM());
  Value gradient = in[3], rate = in[4];
  Value m = buildAverage(b, in[1], gradient, op.getBeta1(), element);
  Value v =
      buildAverage(b, in[2], b.mul(gradient, gradient), op.getBeta2(), element);
  Value root = b.add(b.sqrt(v), numberLike(b, op.getEpsilon(), in[0]));
  return {b.sub(in[0], b.div(b.mul(rate, m), root)), m, v};
}

static Lanes build(LaneBuilder &b, graph::ApplyRmspropOp op, ValueRange in) {
  Type element = elementOf(op.getNewMs());
  Value gradient = in[3], rate = in[4];
  Value ms =
      buildAverage(b, in[1], b.mul(gradient, gradient), op.getRho(), element);
  Value root = b.sqrt(b.add(ms, numberLike(b, op.getEpsilon(), in[0])));
  Value kept = b.mul(in[2], numberLike(b, op.getMomentum(), in[0]));
  Value mom = b.add(kept, b.div(b.mul(gradient, rate), root));
  mom = b.round(element, mom);
  return {b.sub(in[0], mom), ms, mom};
}

static Lanes build(LaneBuilder &b, graph::ReplicaMeanOp, ValueRange in) {
  Value sum = in[0];
  for (Value value : in.drop_front())
    sum = b.add(sum, value);
  return {b.div(sum, b.number(getElementTypeOrSelf(sum), double(in.size()),
                              widthOf(sum)))};
}

bool dtc::kernel::hasApplyLanes(Operation *op) {
  return isa<graph::ApplyAdagradOp, graph::ApplyAdamOp,
             graph::ApplyGradientDescentOp, graph::ApplyMomentumOp,
             graph::ApplyRmspropOp, graph::ReplicaMeanOp>(op);
}

SmallVector<Value> dtc::kernel::buildApply(LaneBuilder &b, Operation *op,
                                           ValueRange operands) {
  return llvm::TypeSwitch<Operation *, Lanes>(op)
      .Case<graph::ApplyAdagradOp, graph::ApplyAdamOp,
            graph::ApplyGradientDescentOp, graph::ApplyMomentumOp,
            graph::ApplyRmspropOp, graph::ReplicaMeanOp>(
          [&](auto apply) { return build(b, apply, operands); });
}
