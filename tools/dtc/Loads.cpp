#include "tools/dtc/Loads.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "tools/dtc/PlanReport.h"

namespace dtc::tool {
namespace {

/// The fullest over the mean: 1 is perfectly even; 1 for no bytes.
double imbalance(const Loads &loads) {
  uint64_t sum = std::accumulate(loads.begin(), loads.end(), uint64_t{0});
  if (sum == 0)
    return 1;
  uint64_t most = *std::max_element(loads.begin(), loads.end());
  return double(most) * double(loads.size()) / double(sum);
}

} // namespace

Loads loadsOf(const proto::Plan &plan) {
  Loads loads;
  for (const proto::Job &job : plan.jobs())
    if (job.name() == "ps")
      loads.resize(job.tasks());
  for (const proto::Variable &variable : plan.variables()) {
    auto type = TensorType::create(variable.type());
    size_t task = static_cast<size_t>(variable.home().index());
    if (type && variable.home().job() == "ps" && task < loads.size())
      loads[task] += type->bytes;
  }
  return loads;
}

std::string loadLine(const Loads &loads) {
  // A list that nobody reads to its end does not help.
  constexpr size_t shown = 8;
  std::string line;
  for (size_t task = 0; task < std::min(shown, loads.size()); ++task)
    line += strCat(task ? ", ps:" : "ps:", task, task ? " " : " holds ",
                   humanBytes(loads[task]));
  if (loads.size() > shown)
    line += strCat(", ", loads.size() - shown, " more");
  line += " of variables";
  if (loads.size() == 1)
    return line;
  char ratio[32];
  std::snprintf(ratio, sizeof(ratio), "%.2f", imbalance(loads));
  return line + "; the fullest " + ratio + " times the mean";
}

nlohmann::ordered_json toJson(const Loads &loads) {
  if (loads.empty())
    return nullptr;
  return {{"bytes", loads}, {"max_over_mean", imbalance(loads)}};
}

} // namespace dtc::tool
