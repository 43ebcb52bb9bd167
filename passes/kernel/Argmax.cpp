// argmax and argmin, one output at a time: the first of the largest (smallest),
// or the first NaN.
// The range counts outputs.
#include "dialects/graph/Ops.h"
#include "passes/kernel/LaneArithmetic.h"
#include "passes/kernel/RootEmitters.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

Work dtc::kernel::argmaxWork(const BodyPlan &plan) {
  double length = double(reducedSpace(plan.form.root).count());
  return {plan.space.count(), epilogueNanos(plan) + length};
}

/// Whether x takes the place of the best so far.
static Value isBetter(LaneBuilder &b, Operation *root, Value x, Value best) {
  Type element = elementOf(root->getOperand(0));
  bool hasNoSign = isUnsigned(element);
  Value isBeyond = isa<graph::ArgmaxOp>(root)
                       ? buildLess(b, hasNoSign, best, x)
                       : buildLess(b, hasNoSign, x, best);
  if (!isa<FloatType>(element))
    return isBeyond;
  Value isFirstNaN =
      arith::AndIOp::create(b, b.compare(arith::CmpFPredicate::UNO, x, x),
                            b.compare(arith::CmpFPredicate::ORD, best, best));
  return arith::OrIOp::create(b, isBeyond, isFirstNaN);
}

void dtc::kernel::emitArgmax(EmitContext &context) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  const BodyPlan &plan = body.plan();
  Value operand = plan.form.root->getOperand(0);
  Type element = elementOf(operand);
  Value input = body.pointerTo(operand);
  IterationSpace reduced = reducedSpace(plan.form.root);
  b.loop(context.begin, context.end, 1, [&](Value index) {
    Value row = b.divIndex(index, plan.space.columns());
    Value column = b.remIndex(index, plan.space.columns());
    Value base =
        b.addIndex(body.offsetInRow(row, plan.sources.size()),
                   b.mulIndex(column, plan.space.strides.back().back()));
    auto load = [&](Value i) {
      // One axis is one dimension.
      Value offset = b.addIndex(base, b.mulIndex(i, reduced.strides[0][0]));
      return b.load(element, input, offset, 1);
    };
    SmallVector<Value> best = b.loop(
        b.index(1), b.index(reduced.count()), 1, {load(b.index(0)), b.index(0)},
        [&](Value i, ValueRange carried) {
          Value x = load(i),
                better = isBetter(b, plan.form.root, x, carried[0]);
          return SmallVector<Value>{b.select(better, x, carried[0]),
                                    b.select(better, i, carried[1])};
        });
    body.emit(body.beginRow(row), column, 1, best[1]);
  });
}
