// What a prediction says, for people and for programs.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Prediction.h"
#include "tools/dtc/Table.h"

namespace dtc::tool {
namespace {

constexpr size_t mostPathSteps = 16; // for people: the longest

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
  return text;
}

/// "+12 %": how far the prediction is from what was measured.
std::string errorText(double predicted, double measured) {
  if (predicted == measured)
    return "exact";
  if (measured == 0)
    return "";
  char text[32];
  std::snprintf(text, sizeof text, "%+.0f %%",
                100 * (predicted - measured) / measured);
  return text;
}

double errorOf(double predicted, double measured) {
  return measured == 0 ? 0 : (predicted - measured) / measured;
}

std::string taskTable(const Prediction &prediction) {
  Table table({"TASK", "COMPUTE", "SENT", "RECEIVED", "ARENA"});
  for (const TaskPrediction &task : prediction.tasks)
    table.add({task.task.toString(), milliseconds(task.computeSeconds),
               std::to_string(task.bytesSent) + " B",
               std::to_string(task.bytesReceived) + " B",
               std::to_string(task.arenaBytes) + " B"});
  return table.toString();
}

/// The longest of the path, in its order.
std::string pathText(const std::vector<PathStep> &path) {
  std::vector<double> lengths;
  for (const PathStep &step : path)
    lengths.push_back(step.endSeconds - step.startSeconds);
  double shortest = 0;
  if (lengths.size() > mostPathSteps) {
    std::nth_element(lengths.begin(), lengths.begin() + mostPathSteps - 1,
                     lengths.end(), std::greater<>());
    shortest = lengths[mostPathSteps - 1];
  }
  Table table({"AT", "TAKES", "TASK", "INSTRUCTION", "KIND"});
  size_t shown = 0;
  for (const PathStep &step : path)
    if (step.endSeconds - step.startSeconds >= shortest &&
        shown++ < mostPathSteps)
      table.add({milliseconds(step.startSeconds),
                 milliseconds(step.endSeconds - step.startSeconds),
                 step.task.toString(), step.name, step.kind});
  std::string text = table.toString();
  if (path.size() > shown)
    text += strCat("  and ", path.size() - shown, " shorter ones\n");
  return text;
}

/// Two numbers that should be one, beside each other.
Json pairJson(double predicted, double measured) {
  return {{"predicted", predicted},
          {"measured", measured},
          {"error", errorOf(predicted, measured)}};
}
Json pairJson(uint64_t predicted, uint64_t measured) {
  return {{"predicted", predicted},
          {"measured", measured},
          {"error", errorOf(predicted, measured)}};
}

} // namespace

std::string predictionText(const Prediction &prediction) {
  return strCat(
      "predicted for entry @", prediction.entry, ", ",
      prediction.request.isProcessPerTask ? "a process for each task"
                                          : "all tasks in one process",
      ": ", milliseconds(prediction.stepSeconds), " and ",
      prediction.bytesPerStep, " bytes a step\n", taskTable(prediction),
      "critical path\n", pathText(prediction.path));
}

nlohmann::ordered_json predictionJson(const Prediction &prediction) {
  Json tasks = Json::array(), path = Json::array();
  for (const TaskPrediction &task : prediction.tasks)
    tasks.push_back({{"task", task.task.toString()},
                     {"compute_ms", task.computeSeconds * 1e3},
                     {"bytes_sent", task.bytesSent},
                     {"bytes_received", task.bytesReceived},
                     {"arena_bytes", task.arenaBytes}});
  for (const PathStep &step : prediction.path)
    path.push_back({{"task", step.task.toString()},
                    {"instruction", step.name},
                    {"kind", step.kind},
                    {"start_ms", step.startSeconds * 1e3},
                    {"ms", (step.endSeconds - step.startSeconds) * 1e3}});
  return {{"schema", "dtc.predict/1"},
          {"entry", prediction.entry},
          {"process_per_task", prediction.request.isProcessPerTask},
          {"calibrated", prediction.request.calibrate},
          {"step_ms", prediction.stepSeconds * 1e3},
          {"bytes_per_step", prediction.bytesPerStep},
          {"tasks", tasks},
          {"critical_path", path}};
}

nlohmann::ordered_json comparisonJson(const Prediction &prediction,
                                      const RunSummary &summary) {
  Json json = predictionJson(prediction);
  json["step_ms"] = pairJson(prediction.stepSeconds * 1e3, summary.stepMsP50);
  uint64_t steps = std::max<int64_t>(summary.steps, 1);
  json["bytes_per_step"] =
      pairJson(prediction.bytesPerStep, summary.bytesTotal / steps);
  for (size_t i = 0; i < prediction.tasks.size(); ++i) {
    const TaskPrediction &task = prediction.tasks[i];
    auto use = summary.tasks.find(task.task);
    if (use == summary.tasks.end())
      continue;
    json["tasks"][i]["bytes_sent"] =
        pairJson(task.bytesSent, use->second.tensorBytes / steps);
    json["tasks"][i]["arena_bytes"] =
        pairJson(task.arenaBytes, use->second.arenaBytes);
  }
  return json;
}

std::string comparisonText(const Prediction &prediction,
                           const RunSummary &summary) {
  Table table({"WHAT", "PREDICTED", "MEASURED", "ERROR"});
  table.add({"step", milliseconds(prediction.stepSeconds),
             milliseconds(summary.stepMsP50 / 1e3),
             errorText(prediction.stepSeconds * 1e3, summary.stepMsP50)});
  uint64_t steps = std::max<int64_t>(summary.steps, 1);
  auto addBytes = [&](const std::string &what, uint64_t predicted,
                      uint64_t measured) {
    table.add({what, std::to_string(predicted) + " B",
               std::to_string(measured) + " B",
               errorText(predicted, measured)});
  };
  addBytes("bytes a step", prediction.bytesPerStep, summary.bytesTotal / steps);
  for (const TaskPrediction &task : prediction.tasks) {
    auto use = summary.tasks.find(task.task);
    if (use != summary.tasks.end())
      addBytes("arena of " + task.task.toString(), task.arenaBytes,
               use->second.arenaBytes);
  }
  return table.toString() + "critical path, as predicted\n" +
         pathText(prediction.path);
}

} // namespace dtc::tool
