// Observation: what a run of a plan, or of its oracle, shows of one step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "runtime/plan/Plan.h"
#include "runtime/server/Session.h"

namespace dtc::tool {

struct Observation {
  /// By name and replica; without update async all are of replica 0.
  using Fetches = std::map<std::pair<std::string, uint32_t>, Tensor>;

  RunSummary summary;
  std::map<std::pair<uint32_t, uint32_t>, Tensor> sent; // (edge, replica)
  Fetches fetches;
};

using KernelListener = std::function<void(const KernelRun &)>;

/// Does `run`, whose options say how many steps, `turns` of which are one of
/// the plan's; and says what the last of those showed. `ranKernel`, which may
/// be empty, hears of its kernels: from any thread, several at once.
Result<Observation> observe(const Plan::Ptr &plan, const proto::Entry &entry,
                            RunOptions run, int64_t turns = 1,
                            KernelListener ranKernel = {});

/// What `oracle` shows as value `name` of `replica`, or null.
const Observation::Fetches::value_type *
watched(const Observation &oracle, const std::string &name, uint32_t replica);

/// "" or how `actual` differs in bits from `expected`.
std::string bitDifference(const Tensor &actual, const Tensor &expected);

} // namespace dtc::tool
