// graph-prune: keeps what outputs and assignments need.
#include "passes/graph/Passes.h"
#include "passes/graph/RewriteCounts.h"

namespace dtc::graph {
#define GEN_PASS_DEF_PRUNE
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

namespace {
struct PrunePass : dtc::graph::impl::PruneBase<PrunePass>, CountingPass {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    int64_t erased = 0;
    // Backwards: users go before what they use.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op)) {
        op.erase();
        ++erased;
      }
    count("prune", erased);
  }
};
} // namespace
