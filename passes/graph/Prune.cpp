// graph-prune: keeps what outputs and assignments need.
#include "passes/graph/Passes.h"

namespace dtc::graph {
#define GEN_PASS_DEF_PRUNE
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

namespace {
struct PrunePass : dtc::graph::impl::PruneBase<PrunePass> {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    // Backwards: users go before what they use.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};
} // namespace
