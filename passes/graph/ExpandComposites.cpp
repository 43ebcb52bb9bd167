// graph-expand-composites: ops that are short for others become those others.
#include "passes/graph/Passes.h"

namespace dtc::graph {
#define GEN_PASS_DEF_EXPANDCOMPOSITES
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

// Replaces `op`; its results' names go over to the new values.
static void expand(CompositeOpInterface composite) {
  Operation *op = composite.getOperation();
  OpBuilder builder(op);
  SmallVector<Value> values;
  composite.expand(builder, values);
  assert(values.size() == op->getNumResults() && "a value a result");
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    assert(result.getType() == value.getType() && "of the result's type");
    // A result that nobody reads may stand for an operand, which has a name.
    if (value.getDefiningOp() && nameOf(value).empty())
      setName(value, nameOf(result));
  }
  op->replaceAllUsesWith(values);
}

// The user's wish for a device holds for all that the op stands for.
static void keepDevice(Operation *op, Operation *before) {
  keepWishes(op, before, op->getPrevNode());
}

namespace {
struct ExpandCompositesPass
    : dtc::graph::impl::ExpandCompositesBase<ExpandCompositesPass> {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto composite = dyn_cast<CompositeOpInterface>(op);
      if (!composite)
        continue;
      Operation *before = op.getPrevNode();
      expand(composite);
      keepDevice(&op, before);
      op.erase();
    }
  }
};
} // namespace
