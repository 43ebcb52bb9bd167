// Rules on ops that move elements. None computes, so bits stay.
#include "dialects/graph/Slices.h"
#include "passes/graph/Rules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc::graph;

Value dtc::graph::mergeReshapes(Operation *op, OpBuilder &builder) {
  if (!isa<ReshapeOp, ExpandDimsOp, SqueezeOp>(op))
    return {};
  Value x = op->getOperand(0);
  auto inner = x.getDefiningOp<ReshapeOp>();
  if (inner)
    x = inner.getX();
  if (Value value = ifSameType(x, op))
    return value;
  if (!inner && isa<ReshapeOp>(op))
    return {};
  return Maker(builder, op).make<ReshapeOp>(op->getResult(0).getType(), x);
}

static bool isAscending(ArrayRef<int64_t> perm) {
  return llvm::is_sorted(perm);
}

Value dtc::graph::mergeTransposes(Operation *op, OpBuilder &builder) {
  auto outer = dyn_cast<TransposeOp>(op);
  if (!outer)
    return {};
  if (isAscending(outer.getPerm()))
    return outer.getX();
  auto inner = outer.getX().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  auto perm = llvm::map_to_vector(
      outer.getPerm(), [&](int64_t dim) { return inner.getPerm()[dim]; });
  if (isAscending(perm))
    return inner.getX();
  return Maker(builder, op).make<TransposeOp>(inner.getX(), perm);
}

static bool areAll(ArrayRef<int64_t> numbers, int64_t number) {
  return llvm::all_of(numbers, [&](int64_t n) { return n == number; });
}

static bool takesAll(StridedSliceOp op) {
  ArrayRef<int64_t> shape = shapeOf(op.getX());
  return llvm::all_of(
      llvm::zip_equal(shape, resolveSlice(shape, op.getBegin(), op.getEnd(),
                                          op.getStrides())),
      [](auto pair) {
        auto [dim, range] = pair;
        return range.begin == 0 && range.stride == 1 && range.size == dim;
      });
}

Value dtc::graph::removeMoves(Operation *op, OpBuilder &) {
  bool movesNothing =
      TypeSwitch<Operation *, bool>(op)
          .Case<SliceOp, BroadcastToOp>([](auto) { return true; })
          .Case([](StridedSliceOp slice) { return takesAll(slice); })
          .Case([](PadOp pad) {
            return areAll(pad.getBefore(), 0) && areAll(pad.getAfter(), 0);
          })
          .Case([](TileOp tile) { return areAll(tile.getMultiples(), 1); })
          .Case([](ConcatOp concat) { return concat.getXs().size() == 1; })
          .Case([](SplitOp) { return true; })
          .Default(false);
  return movesNothing ? ifSameType(op->getOperand(0), op) : Value();
}
