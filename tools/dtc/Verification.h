// Verification: a plan against its graph on one device, bit for bit
// (docs/concepts.md says what that means). What `dtc verify` does with a plan.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"
#include "tools/dtc/Observation.h"
#include "tools/dtc/Rounding.h"

namespace dtc::tool {

struct VerifyOptions {
  uint64_t seed = 0; // of inputs and initial values
  int64_t steps = 3; // of an entry that trains; at least 1
  unsigned threads = 0;
  bool kernels = false; // check each kernel against its reference, too
  Duration stepTimeout = std::chrono::seconds(120); // for one receive
};

/// How verify runs `steps` steps of `entry`: rows, feeds and first values, no
/// two of which are alike, are made from the seed, and the variables are kept.
/// With `turns`, an entry of one replica runs as often a step, each time as the
/// next replica.
RunOptions seededRun(const Plan &plan, const proto::Entry &entry,
                     const VerifyOptions &options, int64_t steps,
                     int64_t turns = 1);

/// What one device computes of an entry. Serves every plan of the same graph
/// and flags that has as many blocks a step, no other edges and no other
/// kernels.
struct Expectation {
  Plan::Ptr oracle;
  const proto::Entry *entry = nullptr; // of the oracle
  std::vector<Observation> steps;      // of the first, the second, …
};

/// Compiles the oracle of one entry of `plan` and runs it. INVALID_ARGUMENT
/// when the plan holds no graph that compiles (diagnostics go to stderr).
Result<Expectation> expectationOf(const Plan &plan, const proto::Entry &entry,
                                  const VerifyOptions &options);

/// What was compared, and the first difference, if any.
struct Verdict {
  std::string entry;
  int64_t steps = 0;
  size_t edges = 0, fetches = 0, variables = 0, values = 0, kernels = 0;
  std::string difference;
  /// What rounding on the wire makes of outputs and variables; nothing if the
  /// plan rounds nothing. `difference` says if it makes them not finite.
  std::optional<Rounding> rounding;
  bool isOfKernel = false; // a kernel differs from its reference, no more
};

/// Runs `entry` of `plan`, which was proven, in this process, step by step, and
/// compares everything it declares, sends, outputs, keeps and, by kernel,
/// computes. Of several edges that differ it names the first in the order in
/// which data flows. Where the plan rounds on the wire, it compares a run that
/// does not; then, with that run, another one that does. Errors: those of the
/// run. With `turns`, see seededRun.
Result<Verdict> verifyEntry(const Plan::Ptr &plan, const proto::Entry &entry,
                            const Expectation &expected,
                            const VerifyOptions &options, int64_t turns = 1);

} // namespace dtc::tool
