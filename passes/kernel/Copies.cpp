#include "passes/kernel/Copies.h"

#include "dialects/graph/Ops.h"
#include "passes/kernel/KernelBody.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::kernel;

using graph::SliceRange;
using Shape = ArrayRef<int64_t>;
using Ranges = SmallVector<SliceRange>;

/// Each block is a loop of its own, and code for more takes long to compile.
static constexpr int64_t kMostBlocks = 256;

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

void Walk::add(const SliceRange &range, int64_t stride) {
  offset += range.begin * stride;
  sizes.push_back(range.size);
  strides.push_back(range.stride * stride);
}

Strides dtc::kernel::rowMajor(Shape shape) {
  Strides strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

static Walk walk(Shape shape, ArrayRef<SliceRange> ranges) {
  Walk result;
  for (auto [range, stride] : llvm::zip_equal(ranges, rowMajor(shape)))
    result.add(range, stride);
  return result;
}

static Ranges wholeOf(Shape shape) {
  return Ranges(llvm::map_range(
      shape, [](int64_t dim) { return SliceRange{0, dim, 1}; }));
}

static Walk walkAll(Shape shape) { return walk(shape, wholeOf(shape)); }

namespace {
/// Collects the blocks of an op.
struct Collector {
  Copies copies;

  void copy(Value source, const Walk &from, Value result, const Walk &to) {
    // Of a splat, memory holds one element.
    bool isOne = isSplat(source);
    Strides none(to.sizes.size(), 0);
    copies.blocks.push_back({result, source, to.sizes, to.offset,
                             isOne ? 0 : from.offset, to.strides,
                             isOne ? none : from.strides, none});
  }
  void fill(Value result, const Walk &to) {
    if (llvm::is_contained(to.sizes, 0))
      return;
    Strides none(to.sizes.size(), 0);
    copies.blocks.push_back(
        {result, nullptr, to.sizes, to.offset, 0, to.strides, none, none});
  }
  void fillAround(Value result, ArrayRef<SliceRange> ranges);
};
} // namespace

/// Fills what `ranges` leave out: for every dimension, what lies outside of its
/// range, within the ranges of the dimensions before.
void Collector::fillAround(Value result, ArrayRef<SliceRange> ranges) {
  Shape shape = shapeOf(result);
  Strides strides = rowMajor(shape);
  Walk before;
  for (auto [i, range] : llvm::enumerate(ranges)) {
    int64_t last = range.begin + (range.size - 1) * range.stride;
    int64_t step = std::abs(range.stride), first = std::min(range.begin, last);
    last = std::max(range.begin, last);
    auto fillWhere = [&](ArrayRef<SliceRange> outside) {
      Walk to = before;
      for (const SliceRange &part : outside)
        to.add(part, strides[i]);
      for (size_t k = i + 1; k < shape.size(); ++k)
        to.add({0, shape[k], 1}, strides[k]);
      fill(result, to);
    };
    fillWhere({{0, first, 1}});
    fillWhere({{last + 1, shape[i] - last - 1, 1}});
    // Between the places of a strided range.
    fillWhere({{first, range.size - 1, step}, {1, step - 1, 1}});
    before.add(range, strides[i]);
  }
}

//===----------------------------------------------------------------------===//
// One operand, one result
//===----------------------------------------------------------------------===//

static void collect(Collector &collector, graph::TransposeOp op) {
  Walk x = walkAll(shapeOf(op.getX())), from;
  for (int64_t axis : op.getPerm())
    from.strides.push_back(x.strides[axis]);
  collector.copy(op.getX(), from, op.getY(), walkAll(shapeOf(op.getY())));
}

static void collect(Collector &collector, graph::SliceOp op) {
  Ranges ranges;
  for (auto [begin, size] : llvm::zip_equal(op.getBegin(), op.getSize()))
    ranges.push_back({begin, size, 1});
  collector.copy(op.getX(), walk(shapeOf(op.getX()), ranges), op.getY(),
                 walkAll(shapeOf(op.getY())));
}

static void collect(Collector &collector, graph::StridedSliceOp op) {
  Shape shape = shapeOf(op.getX());
  Ranges ranges =
      graph::resolveSlice(shape, op.getBegin(), op.getEnd(), op.getStrides());
  collector.copy(op.getX(), walk(shape, ranges), op.getY(),
                 walkAll(shapeOf(op.getY())));
}

static void collect(Collector &collector, graph::StridedSliceGradOp op) {
  Shape shape = shapeOf(op.getDx());
  Ranges ranges =
      graph::resolveSlice(shape, op.getBegin(), op.getEnd(), op.getStrides());
  collector.copy(op.getDy(), walkAll(shapeOf(op.getDy())), op.getDx(),
                 walk(shape, ranges));
  collector.fillAround(op.getDx(), ranges);
}

static void collect(Collector &collector, graph::TileOp op) {
  Walk from, to;
  Strides strides = rowMajor(shapeOf(op.getX())),
          results = rowMajor(shapeOf(op.getY()));
  for (auto [i, dim] : llvm::enumerate(shapeOf(op.getX()))) {
    int64_t multiple = op.getMultiples()[i];
    from.add({0, multiple, 0}, strides[i]);
    from.add({0, dim, 1}, strides[i]);
    to.add({0, multiple, dim}, results[i]);
    to.add({0, dim, 1}, results[i]);
  }
  collector.copy(op.getX(), from, op.getY(), to);
}

//===----------------------------------------------------------------------===//
// Pads
//===----------------------------------------------------------------------===//

namespace {
/// Along one dimension: places of the padded tensor, and what they mirror.
struct Mirror {
  SliceRange result, source;
};
} // namespace

static SmallVector<Mirror> mirrorsOf(graph::PadOp op, size_t dim) {
  int64_t size = shapeOf(op.getX())[dim], before = op.getBefore()[dim],
          after = op.getAfter()[dim];
  SmallVector<Mirror> mirrors;
  if (before)
    mirrors.push_back({{0, before, 1}, {before, before, -1}});
  mirrors.push_back({{before, size, 1}, {0, size, 1}});
  if (after)
    mirrors.push_back({{before + size, after, 1}, {size - 2, after, -1}});
  return mirrors;
}

static void collectReflect(Collector &collector, graph::PadOp op,
                           Ranges &results, Ranges &sources) {
  Shape from = shapeOf(op.getX()), to = shapeOf(op.getY());
  if (results.size() == from.size())
    return collector.copy(op.getX(), walk(from, sources), op.getY(),
                          walk(to, results));
  for (const Mirror &mirror : mirrorsOf(op, results.size())) {
    results.push_back(mirror.result);
    sources.push_back(mirror.source);
    collectReflect(collector, op, results, sources);
    results.pop_back();
    sources.pop_back();
  }
}

static void collect(Collector &collector, graph::PadOp op) {
  Ranges results, sources;
  if (op.getReflect())
    return collectReflect(collector, op, results, sources);
  Shape shape = shapeOf(op.getX());
  for (auto [before, dim] : llvm::zip_equal(op.getBefore(), shape))
    results.push_back({before, dim, 1});
  collector.copies.fill = op.getValue()->convertToDouble();
  collector.copy(op.getX(), walkAll(shape), op.getY(),
                 walk(shapeOf(op.getY()), results));
  collector.fillAround(op.getY(), results);
}

//===----------------------------------------------------------------------===//
// Several operands or results
//===----------------------------------------------------------------------===//

/// The tensor `whole` and its parts along the op's axis; parts of a stacked op
/// lack the axis. `copy` is called with each part and its places in the whole.
static void
forParts(Operation *op, Value whole, ValueRange parts,
         function_ref<void(Value part, const Walk &of, const Walk &in)> copy) {
  Shape shape = shapeOf(whole);
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt(), begin = 0;
  for (Value part : parts) {
    SmallVector<int64_t> partShape(shapeOf(part));
    if (partShape.size() != shape.size())
      partShape.insert(partShape.begin() + axis, 1);
    Ranges ranges = wholeOf(partShape);
    ranges[axis].begin = begin;
    begin += partShape[axis];
    copy(part, walkAll(partShape), walk(shape, ranges));
  }
}

static void collectJoin(Collector &collector, Operation *op) {
  Value result = op->getResult(0);
  forParts(op, result, op->getOperands(),
           [&](Value part, const Walk &of, const Walk &in) {
             collector.copy(part, of, result, in);
           });
}

static void collectCut(Collector &collector, Operation *op) {
  Value source = op->getOperand(0);
  forParts(op, source, op->getResults(),
           [&](Value part, const Walk &of, const Walk &in) {
             collector.copy(source, in, part, of);
           });
}

static void collect(Collector &collector, graph::GatherOp op) {
  Shape shape = shapeOf(op.getX()), ids = shapeOf(op.getIndices());
  int64_t axis = op.getAxis();
  Strides strides = rowMajor(shape);
  Walk from, index;
  auto skip = [](Walk &walk, Shape dims) {
    for (int64_t dim : dims)
      walk.add({0, dim, 0}, 0);
  };
  for (int64_t i = 0; i < axis; ++i)
    from.add({0, shape[i], 1}, strides[i]);
  skip(from, ids);
  for (size_t i = axis + 1; i < shape.size(); ++i)
    from.add({0, shape[i], 1}, strides[i]);
  skip(index, shape.take_front(axis));
  bool isOne = isSplat(op.getIndices());
  for (auto [dim, stride] : llvm::zip_equal(ids, rowMajor(ids)))
    index.add({0, dim, 1}, isOne ? 0 : stride);
  skip(index, shape.drop_front(axis + 1));
  collector.copy(op.getX(), from, op.getY(), walkAll(shapeOf(op.getY())));
  collector.copies.blocks.back().indexStrides = index.strides;
  collector.copies.indices = op.getIndices();
  collector.copies.indexLimit = shape[axis];
  collector.copies.indexStride = isSplat(op.getX()) ? 0 : strides[axis];
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

bool dtc::kernel::isMove(Operation *op) {
  if (auto pad = dyn_cast<graph::PadOp>(op); pad && pad.getReflect()) {
    int64_t blocks = 1;
    for (size_t i = 0; i < shapeOf(pad.getX()).size(); ++i)
      blocks =
          std::min<int64_t>(blocks * mirrorsOf(pad, i).size(), kMostBlocks + 1);
    return blocks <= kMostBlocks;
  }
  using namespace graph;
  if (isa<ConcatOp, SplitOp, StackOp, UnstackOp>(op))
    return op->getNumOperands() + op->getNumResults() <= kMostBlocks;
  return isa<GatherOp, PadOp, SliceOp, StridedSliceGradOp, StridedSliceOp,
             TileOp, TransposeOp>(op);
}

Copies dtc::kernel::copiesOf(Operation *op) {
  using namespace graph;
  Collector collector;
  if (isa<ConcatOp, StackOp>(op))
    collectJoin(collector, op);
  else if (isa<SplitOp, UnstackOp>(op))
    collectCut(collector, op);
  else
    llvm::TypeSwitch<Operation *>(op)
        .Case<GatherOp, PadOp, SliceOp, StridedSliceGradOp, StridedSliceOp,
              TileOp, TransposeOp>([&](auto op) { collect(collector, op); });
  return std::move(collector.copies);
}
