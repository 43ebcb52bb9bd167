// Kernels without a root. The range counts rows of the iteration space, or its
// elements when there is but one row.
#include "dialects/graph/Ops.h"
#include "passes/kernel/RootEmitters.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

/// What one element costs, roughly.
static double nanosOf(Operation *op) {
  using namespace graph;
  if (isa<PowOp, ErfOp, GeluOp, SinOp, CosOp>(op))
    return 0.8;
  if (isa<ExpOp, LogOp, TanhOp, SigmoidOp, SoftplusOp, EluOp>(op))
    return 0.15;
  return 0.03;
}

double dtc::kernel::epilogueNanos(const BodyPlan &plan) {
  double nanos = 0.06 * double(plan.sources.size() + plan.form.outputs.size());
  for (Operation *op : plan.form.elementwise)
    nanos += nanosOf(op);
  return nanos;
}

static bool hasRows(const BodyPlan &plan) { return plan.space.rows() > 1; }

Work dtc::kernel::elementwiseWork(const BodyPlan &plan) {
  double nanos = epilogueNanos(plan);
  if (!hasRows(plan))
    return {plan.space.columns(), nanos};
  return {plan.space.rows(), nanos * double(plan.space.columns())};
}

/// Columns [begin, end) of the only row: vectors, then one by one.
static void emitSingleRow(EmitContext &context) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  KernelBody::Row row = body.beginRow(b.index(0));
  Value length = arith::SubIOp::create(b, context.end, context.begin);
  Value rest = b.remIndex(length, kLanes);
  Value middle = arith::SubIOp::create(b, context.end, rest);
  if (body.plan().space.columns() >= kLanes)
    b.loop(context.begin, middle, kLanes,
           [&](Value column) { body.emit(row, column, kLanes); });
  else
    middle = context.begin;
  b.loop(middle, context.end, 1,
         [&](Value column) { body.emit(row, column, 1); });
}

void dtc::kernel::emitElementwise(EmitContext &context) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  if (!hasRows(body.plan()))
    return emitSingleRow(context);
  b.loop(context.begin, context.end, 1, [&](Value index) {
    KernelBody::Row row = body.beginRow(index);
    forColumns(
        b, body.plan().space.columns(),
        [&](Value column, int64_t width) { body.emit(row, column, width); });
  });
}
