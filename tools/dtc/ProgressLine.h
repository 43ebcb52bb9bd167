// ProgressLine: how a run gets on, on stderr: a line an epoch on a terminal, at
// most one every 10 s elsewhere (and the last).
#pragma once

#include "runtime/base/Deadline.h"
#include "runtime/server/Session.h"

namespace dtc::tool {

class ProgressLine {
public:
  explicit ProgressLine(const Clock &clock = Clock::steady());
  void show(const Progress &now);

private:
  const Clock &clock_;
  const bool isTerminal_;
  TimePoint next_;
};

} // namespace dtc::tool
