#include "passes/graph/Pipeline.h"

#include "mlir/Pass/PassRegistry.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace dtc::graph;

void dtc::graph::buildGraphPipeline(OpPassManager &pm,
                                    const GraphPipelineOptions &options) {
  const std::vector<std::string> &disabled = options.disabledRewrites;
  auto isOn = [&](StringRef name) {
    return !llvm::is_contained(disabled, name);
  };

  // Blocks that are written once: nothing below knows of calls.
  pm.addPass(createInline());

  // Shapes come before gradients, which are built from them.
  pm.addNestedPass<FuncOp>(createInferShapes({options.batch}));

  // While minimize still tells which functions train.
  if (isOn("fold-batch-norm"))
    pm.addNestedPass<FuncOp>(createFoldBatchNorm());
  pm.addPass(createExpandTraining());

  // After what knows composite ops: batch norms and their gradients. What they
  // share among each other is computed once below.
  pm.addNestedPass<FuncOp>(createExpandComposites());

  // Gradients are built for all operands and from one constant; here what is
  // constant is computed, what is idle goes, and what is equal is computed
  // once: in this order, since simpler ops are more often equal.
  SimplifyOptions simplify;
  simplify.disable.assign(disabled.begin(), disabled.end());
  pm.addNestedPass<FuncOp>(createSimplify(simplify));
  if (isOn("cse"))
    pm.addNestedPass<FuncOp>(createCse());

  // Gradients with respect to data, and whatever else nobody asked for.
  if (isOn("prune"))
    pm.addNestedPass<FuncOp>(createPrune());

  // Last, so that names go to what is left.
  pm.addNestedPass<FuncOp>(createAssignNames());
  pm.addPass(createVerifyClosed());
}

namespace {
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<int64_t> batch{*this, "batch",
                        llvm::cl::desc("rows a replica takes a step"),
                        llvm::cl::init(0)};
  ListOption<std::string> disable{*this, "disable",
                                  llvm::cl::desc("rewrites to leave out")};
};
} // namespace

void dtc::graph::registerGraphPipeline() {
  static PassPipelineRegistration<PipelineFlags> registration(
      "graph-pipeline", "All graph passes, in order",
      [](OpPassManager &pm, const PipelineFlags &flags) {
        buildGraphPipeline(pm, {.batch = flags.batch,
                                .disabledRewrites = {flags.disable.begin(),
                                                     flags.disable.end()}});
      });
}
