// The order of the graph passes.
#pragma once

#include "mlir/Pass/PassManager.h"
#include <cstdint>
#include <string>
#include <vector>

namespace dtc::graph {

struct GraphPipelineOptions {
  // Rows that a replica takes a step, in functions that train; 0: as written.
  int64_t batch = 0;
  // Rewrites to leave out (RewriteCounts.h has their names).
  std::vector<std::string> disabledRewrites;
};

// A graph as it is written → one that is closed (phase `rewrite`).
void buildGraphPipeline(mlir::OpPassManager &pm,
                        const GraphPipelineOptions &options);
// Makes it known to dtc-opt as `graph-pipeline`, with options `batch` and
// `disable`.
void registerGraphPipeline();

} // namespace dtc::graph
