// Subjects: correct plans, which faults are put into.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/dtc/Verification.h"

namespace dtc::mutation {

/// How a graph is compiled.
struct Recipe {
  std::string name, graph; // a path from the repository's root
  std::string cluster, mode, target;
  int64_t batch = 0; // 0: the graph's
  int64_t replicas = 1;
  std::string update = "sync", placement = "greedy";
  int64_t maxShardBytes = 0; // 0: variables are whole

  /// "pipeline, in-graph, ps=2,worker=3".
  std::string text() const;
};

/// Every graph of the suite in both modes, with whole and with split variables,
/// update sync and async, placed by bytes and by cost; the working directory is
/// the repository's root.
std::vector<Recipe> suite();
/// Every example in every mode with 1, 2, 3, 5 and 8 tasks.
std::vector<Recipe> examples();

/// A plan and what one device computes of each of its entries.
struct Subject {
  Recipe recipe;
  Plan::Ptr plan;
  tool::VerifyOptions options;
  std::map<std::string, tool::Expectation> expected; // by entry
};

/// INVALID_ARGUMENT when the graph does not compile (diagnostics go to stderr).
Result<Plan::Ptr> compileRecipe(const Recipe &recipe);
Result<Subject> prepare(const Recipe &recipe,
                        const tool::VerifyOptions &options);

} // namespace dtc::mutation
