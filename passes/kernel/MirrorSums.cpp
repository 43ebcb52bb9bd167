#include "passes/kernel/MirrorSums.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/Fusion.h"
#include <set>

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

using graph::SliceRange;

/// The code has a load for each, and for more it takes long to compile.
static constexpr int64_t kMostSummands = 1024;

namespace {
/// Along one dimension: places of dx, and where dy mirrors them.
struct Segment {
  SliceRange dx;
  SmallVector<SliceRange, 3> dy;
};
} // namespace

static SmallVector<Segment> segmentsOf(graph::MirrorPadGradOp op, size_t dim) {
  int64_t size = shapeOf(op.getDx())[dim], before = op.getBefore()[dim],
          after = op.getAfter()[dim];
  // Neither border is mirrored.
  std::set<int64_t> cuts = {0, size};
  if (before > 0)
    cuts.insert({1, before + 1});
  if (after > 0)
    cuts.insert({size - 1 - after, size - 1});
  SmallVector<Segment> segments;
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    int64_t begin = *cut, length = *std::next(cut) - begin;
    Segment segment{{begin, length, 1}, {}};
    if (begin >= 1 && begin <= before)
      segment.dy.push_back({before - begin, length, -1});
    segment.dy.push_back({before + begin, length, 1});
    if (begin >= size - 1 - after && begin < size - 1)
      segment.dy.push_back({before + 2 * (size - 1) - begin, length, -1});
    segments.push_back(std::move(segment));
  }
  return segments;
}

bool dtc::kernel::isMirrorSum(Operation *op) {
  auto grad = dyn_cast<graph::MirrorPadGradOp>(op);
  if (!grad)
    return false;
  int64_t summands = 1;
  for (size_t dim = 0; dim < grad.getBefore().size(); ++dim) {
    int64_t along = 0;
    for (const Segment &segment : segmentsOf(grad, dim))
      along += int64_t(segment.dy.size());
    summands = std::min(summands * along, kMostSummands + 1);
  }
  return summands <= kMostSummands;
}

SmallVector<MirrorRegion, 0> dtc::kernel::mirrorRegions(Operation *op) {
  auto grad = cast<graph::MirrorPadGradOp>(op);
  Strides dx = rowMajor(shapeOf(grad.getDx())),
          dy = rowMajor(shapeOf(grad.getDy()));
  SmallVector<MirrorRegion, 0> regions = {{Walk(), {Walk()}}};
  // An earlier dimension decides first which summand comes before another.
  for (size_t dim = 0; dim < dx.size(); ++dim) {
    SmallVector<MirrorRegion, 0> cut;
    for (const MirrorRegion &region : regions)
      for (const Segment &segment : segmentsOf(grad, dim)) {
        MirrorRegion part{region.dx, {}};
        part.dx.add(segment.dx, dx[dim]);
        for (const Walk &walk : region.dy)
          for (const SliceRange &range : segment.dy)
            part.dy.emplace_back(walk).add(range, dy[dim]);
        cut.push_back(std::move(part));
      }
    regions = std::move(cut);
  }
  return regions;
}
