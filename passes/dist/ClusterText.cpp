#include "passes/dist/ClusterText.h"

#include "dialects/diagnostics/Coded.h"
#include "passes/dist/DeviceSpec.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

/// A plan lists its tasks; more than that is a typing error.
static constexpr int64_t maxTasks = 1 << 20;

static FailureOr<JobAttr> parseJob(StringRef text, Location where) {
  auto [name, count] = text.trim().split('=');
  int64_t tasks = 0;
  ParsedDeviceSpec asDevice = parseDeviceSpec("/job:" + name.str());
  if (!asDevice.spec || !asDevice.spec->job)
    return coded(emitError(where), Code::BadCluster)
           << "'" << text << "' is no job of a cluster; write "
           << "NAME=TASKS, as in ps=1,worker=2";
  if (count.getAsInteger(10, tasks) || tasks < 1 || tasks > maxTasks)
    return coded(emitError(where), Code::BadCluster)
           << "job '" << name << "' needs a number of tasks "
           << "from 1 to " << maxTasks << ", not '" << count << "'";
  return JobAttr::get(where.getContext(), name, tasks);
}

FailureOr<ClusterAttr> parseClusterText(StringRef text, Location where) {
  SmallVector<JobAttr> jobs;
  for (StringRef part : llvm::split(text, ',')) {
    FailureOr<JobAttr> job = parseJob(part, where);
    if (failed(job))
      return failure();
    jobs.push_back(*job);
  }
  auto cluster = ClusterAttr::getChecked(
      [&] { return coded(emitError(where), Code::BadCluster); },
      where.getContext(), ArrayRef<JobAttr>(jobs));
  if (!cluster)
    return failure();
  return cluster;
}

FailureOr<Mode> parseModeText(StringRef text, Location where) {
  if (text == "local")
    return Mode::Local;
  if (text == "in-graph")
    return Mode::InGraph;
  if (text == "between-graph")
    return Mode::BetweenGraph;
  return coded(emitError(where), Code::BadMode)
         << "mode '" << text << "' is none of local, in-graph, between-graph";
}

FailureOr<Update> parseUpdateText(StringRef text, Location where) {
  if (std::optional<Update> update = symbolizeUpdate(text))
    return *update;
  return coded(emitError(where), Code::BadMode)
         << "update '" << text << "' is neither sync nor async";
}

} // namespace dtc::dist
