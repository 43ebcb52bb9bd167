#include "tools/dtc/Decided.h"

#include <algorithm>

#include "dialects/dist/Dist.h"
#include "dialects/plan/Plan.h"
#include "runtime/base/Status.h"

using namespace mlir;

namespace dtc::tool {
namespace {

void addJob(std::string &cluster, StringRef name, int64_t tasks) {
  cluster += strCat(cluster.empty() ? "" : ",", name.str(), "=", tasks);
}

/// The enumerators spell in_graph what the flag spells in-graph.
std::string asFlag(StringRef word) {
  std::string flag = word.str();
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

} // namespace

Decided decidedOf(ModuleOp module) {
  Decided decided;
  if (auto cluster =
          module->getAttrOfType<dist::ClusterAttr>(dist::clusterAttrName))
    for (dist::JobAttr job : cluster.getJobs())
      addJob(decided.cluster, job.getName(), job.getTasks());
  if (auto jobs = module->getAttrOfType<ArrayAttr>("plan.jobs"))
    for (auto job : jobs.getAsRange<plan::JobAttr>())
      addJob(decided.cluster, job.getName(), job.getTasks());
  if (auto mode = module->getAttrOfType<dist::ModeAttr>(dist::modeAttrName))
    decided.mode = asFlag(dist::stringifyMode(mode.getValue()));
  if (auto mode = module->getAttrOfType<plan::ModeAttr>("plan.mode"))
    decided.mode = asFlag(plan::stringifyMode(mode.getValue()));
  if (auto update =
          module->getAttrOfType<dist::UpdateAttr>(dist::updateAttrName))
    decided.update = dist::stringifyUpdate(update.getValue()).str();
  if (auto update = module->getAttrOfType<plan::UpdateAttr>("plan.update"))
    decided.update = plan::stringifyUpdate(update.getValue()).str();
  return decided;
}

} // namespace dtc::tool
