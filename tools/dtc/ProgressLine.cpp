#include "tools/dtc/ProgressLine.h"

#include <iostream>
#include <unistd.h>

namespace dtc::tool {

constexpr Duration quietTime = std::chrono::seconds(10);

ProgressLine::ProgressLine(const Clock &clock)
    : clock_(clock), isTerminal_(isatty(STDERR_FILENO)),
      next_(clock.now() + quietTime) {}

void ProgressLine::show(const Progress &now) {
  bool isLast = now.step == now.steps;
  bool isDue = isTerminal_ ? now.isEndOfEpoch : clock_.now() >= next_;
  if ((!isDue && !isLast) || now.metrics.empty() || now.steps == 1)
    return;
  next_ = clock_.now() + quietTime;
  std::string line =
      now.stepsPerEpoch > 0
          ? strCat("epoch ", now.epoch + 1, "/",
                   (now.steps + now.stepsPerEpoch - 1) / now.stepsPerEpoch)
          : std::string();
  line += strCat(line.empty() ? "" : "  ", "step ", now.step, "/", now.steps);
  for (const auto &[name, value] : now.metrics)
    line += strCat("  ", name, " ", value);
  std::cerr << line + "\n";
}

} // namespace dtc::tool
