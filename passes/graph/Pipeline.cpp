#include "passes/graph/Pipeline.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/graph/Passes.h"

using namespace mlir;
using namespace dtc::graph;

void dtc::graph::buildGraphPipeline(OpPassManager &pm,
                                    const GraphPipelineOptions &options) {
  // Shapes come first: gradients are built from them.
  pm.addNestedPass<FuncOp>(createInferShapes({options.batch}));
  pm.addPass(createExpandTraining());

  // Gradients are built for all operands and from one constant; here what is
  // constant is computed and what is equal is computed once.
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<FuncOp>(createCSEPass());

  // After the rewrites that know composite ops; what they share among each
  // other is again computed once.
  pm.addNestedPass<FuncOp>(createExpandComposites());
  pm.addNestedPass<FuncOp>(createCSEPass());

  // Gradients with respect to data, and whatever else nobody asked for.
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
};
} // namespace

void dtc::graph::registerGraphPipeline() {
  static PassPipelineRegistration<PipelineFlags> registration(
      "graph-pipeline", "All graph passes, in order",
      [](OpPassManager &pm, const PipelineFlags &flags) {
        buildGraphPipeline(pm, {.batch = flags.batch});
      });
}
