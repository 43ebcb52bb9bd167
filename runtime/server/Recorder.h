// Recorder: what the chief learns of a run while it runs, and the summary that
// it makes of it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/Deadline.h"
#include "runtime/plan/Plan.h"
#include "runtime/server/Session.h"

namespace dtc {

/// Thread-safe; stepDone() is called by one thread at a time.
class Recorder {
public:
  Recorder(Plan::Ptr plan, const proto::Entry &entry,
           const RunOptions &options);

  /// The run begins now.
  void begin(int64_t steps, int64_t stepsPerEpoch, int64_t droppedPerEpoch);
  /// Keeps a fetch of the step that is under way.
  void fetch(uint32_t fetch, std::span<const std::byte> bytes);
  /// A step is done, and all its fetches are here. Calls options.progress.
  void stepDone(uint64_t step);
  /// All tasks are done.
  void end();
  /// Steps, metrics, fetches, times and dropped examples of all steps.
  RunSummary summary();

private:
  std::map<std::string, double> scalars() const;

  Plan::Ptr plan_;
  const proto::Entry &entry_;
  const RunOptions &options_;
  std::mutex mutex_; // guards all below
  int64_t steps_ = 0, stepsPerEpoch_ = 0, droppedPerEpoch_ = 0;
  int64_t done_ = 0;
  std::vector<Tensor> fetches_; // by the entry's index
  std::map<std::string, double> sums_, last_;
  std::vector<double> stepMs_;
  TimePoint begun_, lastDone_, ended_;
};

} // namespace dtc
