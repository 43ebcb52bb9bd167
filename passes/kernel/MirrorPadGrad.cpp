// mirror_pad_grad: an index of the range is a row of a region (MirrorSums.h).
// Sums start from +0; those of 16-bit floats are rounded once.
#include "dialects/graph/Ops.h"
#include "passes/kernel/MirrorSums.h"
#include "passes/kernel/RootEmitters.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

namespace {
/// The loops over a region.
struct RegionLoops {
  IterationSpace space; // strides of dx, then those of the summands
  SmallVector<int64_t> offsets;
};
} // namespace

static RegionLoops loopsOver(const MirrorRegion &region) {
  SmallVector<Strides> strides = {region.dx.strides};
  SmallVector<int64_t> offsets = {region.dx.offset};
  for (const Walk &walk : region.dy) {
    strides.push_back(walk.strides);
    offsets.push_back(walk.offset);
  }
  return {collapse(region.dx.sizes, strides, /*keepColumns=*/true), offsets};
}

Work dtc::kernel::mirrorPadGradWork(const BodyPlan &plan) {
  int64_t rows = 0;
  double nanos = 0;
  for (const MirrorRegion &region : mirrorRegions(plan.form.root)) {
    RegionLoops loops = loopsOver(region);
    rows += loops.space.rows();
    nanos += double(loops.space.count()) * double(loops.offsets.size()) * 0.1;
  }
  return {rows, nanos / double(rows)};
}

/// The sums of one row of a region.
static void emitRow(EmitContext &context, const RegionLoops &loops, Value row) {
  KernelBody &body = context.body;
  LaneBuilder &b = body.builder();
  auto op = cast<graph::MirrorPadGradOp>(body.plan().form.root);
  Type element = elementOf(op.getDx());
  Value dx = body.outputOf(op.getDx()), dy = body.pointerTo(op.getDy());
  SmallVector<Value> starts;
  for (auto [i, offset] : llvm::enumerate(loops.offsets))
    starts.push_back(b.addIndex(offsetInRow(b, loops.space, row, i), offset));
  auto load = [&](size_t i, Value column, int64_t width) {
    int64_t stride = loops.space.strides[i].back();
    Value at = b.addIndex(starts[i], b.mulIndex(column, stride));
    return stride < 0 ? b.loadBackwards(element, dy, at, width)
                      : b.load(element, dy, at, width);
  };
  forColumns(b, loops.space.columns(), [&](Value column, int64_t width) {
    Value sum = b.number(laneType(element), 0, width);
    for (size_t i = 1; i < starts.size(); ++i)
      sum = b.add(sum, load(i, column, width));
    b.store(element, b.round(element, sum), dx, b.addIndex(starts[0], column));
  });
}

void dtc::kernel::emitMirrorPadGrad(EmitContext &context) {
  int64_t first = 0;
  for (const MirrorRegion &region :
       mirrorRegions(context.body.plan().form.root)) {
    RegionLoops loops = loopsOver(region);
    forShare(context, first, loops.space.rows(),
             [&](Value row) { emitRow(context, loops, row); });
    first += loops.space.rows();
  }
}
