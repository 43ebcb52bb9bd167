// Calibration: how long a plan's kernels take on this machine, now.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/base/Deadline.h"
#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// Loads the kernels for `target` ("": the first that fits) and times them on
/// one thread, each several times, by their median, on made-up inputs. Begins
/// with those of the largest `share` and ends when `budget` is spent; a kernel
/// without a share is left out. Seconds by kernel.
Result<std::map<uint32_t, double>> timeKernels(const Plan::Ptr &plan,
                                               const std::string &target,
                                               const std::vector<double> &share,
                                               Duration budget);

/// How many cores' worth of time `threads` busy threads get in `duration`: less
/// than there are when others work on this machine too.
double measureCores(unsigned threads, Duration duration);

} // namespace dtc::tool
