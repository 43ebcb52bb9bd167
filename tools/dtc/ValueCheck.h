// ValueCheck: what kernels compute within a task, against one device. Edges and
// outputs alone would not tell: an accuracy may be right by luck.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tools/dtc/Observation.h"

namespace dtc::tool {

/// The values that launches of `entry` are named for: of each kernel the last
/// op's results.
std::vector<std::string> launchedValues(const proto::Entry &entry);

class ValueCheck {
public:
  /// Of a step of `plan`; `shown` is what the entry `oracle` of one device
  /// showed of it. Both must outlive the check.
  ValueCheck(Plan::Ptr plan, const proto::Entry &oracle,
             const Observation &shown);

  /// Compares what the launch is named for. Thread-safe.
  void check(const KernelRun &run);

  /// How many values were compared, counting each replica's.
  size_t checked() const { return checked_.size(); }
  /// The first that differs, in the order of the graph; "" when none does.
  std::string difference() const;

private:
  using Place = std::pair<size_t, uint32_t>; // of the oracle's fetch; replica

  void compare(const std::string &name, const KernelRun &run,
               const proto::TensorType &type, const void *bytes);

  Plan::Ptr plan_;
  const Observation &shown_;
  std::map<std::string, size_t> order_; // of the oracle's fetches
  std::mutex mutex_;                    // guards all below
  std::set<Place> checked_;
  std::map<Place, std::string> differences_;
};

} // namespace dtc::tool
