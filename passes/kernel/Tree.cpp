#include "passes/kernel/Tree.h"

using namespace mlir;
using namespace dtc::kernel;

static constexpr int64_t kBlock = 4096;
static constexpr int64_t kTreeLanes = 16;

/// Reduces elements [first, first + length), length <= kBlock.
using ReduceBlock = function_ref<Value(Value first, int64_t length)>;

/// Combines the blocks' results in order.
static Value reduceBlocks(LaneBuilder &b, const Tree &tree,
                          ReduceBlock reduceBlock) {
  int64_t blocks = llvm::divideCeil(tree.length, kBlock);
  int64_t last = (blocks - 1) * kBlock, lastLength = tree.length - last;
  if (blocks == 1)
    return reduceBlock(b.index(0), lastLength);
  Value total = reduceBlock(b.index(0), kBlock);
  if (blocks > 2)
    total = b.loop(b.index(kBlock), b.index(last), kBlock, total,
                   [&](Value first, ValueRange carried) {
                     Value block = reduceBlock(first, kBlock);
                     return SmallVector<Value>{tree.combine(carried[0], block)};
                   })
                .front();
  return tree.combine(total, reduceBlock(b.index(last), lastLength));
}

Value dtc::kernel::reduceAlong(LaneBuilder &b, const Tree &tree,
                               function_ref<Value(Value, int64_t)> load) {
  return reduceBlocks(b, tree, [&](Value first, int64_t length) {
    int64_t whole = length / kTreeLanes * kTreeLanes, rest = length - whole;
    Value lanes = b.splat(tree.identity, kTreeLanes);
    if (whole == kTreeLanes)
      lanes = tree.combine(lanes, load(first, kTreeLanes));
    else if (whole > 0)
      lanes = b.loop(b.index(0), b.index(whole), kTreeLanes, lanes,
                     [&](Value i, ValueRange carried) {
                       Value x = load(b.addIndex(first, i), kTreeLanes);
                       return SmallVector<Value>{tree.combine(carried[0], x)};
                     })
                  .front();
    if (rest > 0) {
      Value x = load(b.addIndex(first, whole), rest);
      lanes = tree.combine(lanes, b.pad(x, tree.identity, kTreeLanes));
    }
    for (int64_t half = kTreeLanes / 2; half > 0; half /= 2)
      lanes = tree.combine(b.slice(lanes, 0, half), b.slice(lanes, half, half));
    return lanes;
  });
}

/// Lanes that are still the identity are null: combining with it changes
/// nothing, so no code is needed.
static Value combineLanes(const Tree &tree, Value a, Value b) {
  return !a ? b : !b ? a : tree.combine(a, b);
}

/// The 16 lanes after the groups of 16 elements of a block.
static SmallVector<Value> reduceGroups(LaneBuilder &b, const Tree &tree,
                                       Value first, int64_t whole,
                                       Value identity,
                                       function_ref<Value(Value)> load) {
  SmallVector<Value> lanes(kTreeLanes, identity);
  auto addGroup = [&](Value i, ValueRange carried) {
    SmallVector<Value> next;
    for (int64_t l = 0; l < kTreeLanes; ++l)
      next.push_back(tree.combine(carried[l], load(b.addIndex(i, l))));
    return next;
  };
  if (whole == kTreeLanes)
    return addGroup(first, lanes);
  return b.loop(first, b.addIndex(first, whole), kTreeLanes, lanes, addGroup);
}

Value dtc::kernel::reduceAcross(LaneBuilder &b, const Tree &tree, int64_t width,
                                function_ref<Value(Value)> load) {
  return reduceBlocks(b, tree, [&](Value first, int64_t length) {
    int64_t whole = length / kTreeLanes * kTreeLanes, rest = length - whole;
    SmallVector<Value> lanes(kTreeLanes);
    Value identity = b.splat(tree.identity, width);
    if (whole > 0)
      lanes = reduceGroups(b, tree, first, whole, identity, load);
    for (int64_t l = 0; l < rest; ++l)
      // From the identity even so: 0 + -0 is +0.
      lanes[l] = tree.combine(lanes[l] ? lanes[l] : identity,
                              load(b.addIndex(first, whole + l)));
    for (int64_t half = kTreeLanes / 2; half > 0; half /= 2)
      for (int64_t l = 0; l < half; ++l)
        lanes[l] = combineLanes(tree, lanes[l], lanes[l + half]);
    return lanes[0];
  });
}
