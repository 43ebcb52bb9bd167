// What a difference of plans says, for people and for programs.
#include <cstdio>

#include "tools/dtc/PlanDiff.h"
#include "tools/dtc/PlanReport.h"
#include "tools/dtc/Table.h"

namespace dtc::tool {
namespace {

std::string format(const char *form, double value) {
  char text[32];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

/// "+16384 B"; "0 B".
std::string signedBytes(int64_t bytes) {
  return strCat(bytes > 0 ? "+" : "", bytes, " B");
}

std::string joined(const std::vector<std::string> &places) {
  std::string text;
  for (const std::string &place : places)
    text += (text.empty() ? "" : ", ") + place;
  return text.empty() ? "-" : text;
}

/// "3 ops moved, 1 new, 2 gone".
std::string countText(const std::vector<PlaceChange> &changes,
                      const std::string &what) {
  size_t fresh = 0, gone = 0;
  for (const PlaceChange &change : changes) {
    fresh += change.from.empty();
    gone += change.to.empty();
  }
  size_t moved = changes.size() - fresh - gone;
  return strCat(moved, " ", what, moved == 1 ? "" : "s", " moved, ", fresh,
                " new, ", gone, " gone\n");
}

std::string placeText(const std::vector<PlaceChange> &changes,
                      const std::string &what) {
  if (changes.empty())
    return "";
  Table table({"NAME", "KIND", "A", "B"});
  for (const PlaceChange &change : changes)
    table.add(
        {change.name, change.kind, joined(change.from), joined(change.to)});
  return countText(changes, what) + table.toString();
}

void addRow(Table &table, const std::string &name, const BytesChange &change) {
  table.add({name, strCat(change.from, " B"), strCat(change.to, " B"),
             signedBytes(change.delta())});
}

std::string bytesText(const PlanDiff &diff) {
  Table table({"BYTES A STEP", "A", "B", "CHANGE"});
  for (const BytesChange &edge : diff.edges)
    addRow(table, edge.name, edge);
  addRow(table, "all edges", diff.bytesPerStep);
  return table.toString();
}

std::string memoryText(const std::vector<TaskChange> &tasks) {
  if (tasks.empty())
    return "";
  Table table({"PEAK MEMORY", "A", "B", "CHANGE"});
  for (const TaskChange &task : tasks) {
    if (task.arena.delta() != 0)
      addRow(table, "arena of " + task.task, task.arena);
    if (task.variables.delta() != 0)
      addRow(table, "variables of " + task.task, task.variables);
  }
  return table.toString();
}

std::string stepText(double from, double to) {
  double change = to - from;
  return strCat(
      "predicted step ", format("%.3f ms", from * 1e3), " -> ",
      format("%.3f ms", to * 1e3), ", ", format("%+.3f ms", change * 1e3),
      from > 0 ? format(" (%+.0f %%)", 100 * change / from) : std::string(),
      "\n");
}

template <typename Number>
Json changeJson(Number from, Number to, Json delta) {
  return {{"a", from}, {"b", to}, {"delta", std::move(delta)}};
}

Json changeJson(const BytesChange &change) {
  return changeJson(change.from, change.to, change.delta());
}

Json placesJson(const std::vector<PlaceChange> &changes) {
  Json json = Json::array();
  for (const PlaceChange &change : changes)
    json.push_back({{"name", change.name},
                    {"kind", change.kind},
                    {"a", change.from},
                    {"b", change.to}});
  return json;
}

} // namespace

std::string diffText(const PlanDiff &diff) {
  std::string text = diff.hasSameSource
                         ? ""
                         : "the plans were compiled from different graphs\n";
  if (diff.isEmpty())
    return text + strCat("entry @", diff.entry,
                         ": no op, edge, task or predicted step differs\n");
  return text + strCat("entry @", diff.entry, "\n") +
         placeText(diff.ops, "op") + placeText(diff.variables, "variable") +
         bytesText(diff) + memoryText(diff.tasks) +
         stepText(diff.stepSecondsFrom, diff.stepSecondsTo);
}

nlohmann::ordered_json diffJson(const PlanDiff &diff) {
  Json edges = Json::array(), tasks = Json::array();
  for (const BytesChange &edge : diff.edges) {
    Json json = {{"key", edge.name}};
    json.update(changeJson(edge));
    edges.push_back(json);
  }
  for (const TaskChange &task : diff.tasks)
    tasks.push_back({{"task", task.task},
                     {"arena_bytes", changeJson(task.arena)},
                     {"variable_bytes", changeJson(task.variables)}});
  return {{"schema", "dtc.diff/1"},
          {"entry", diff.entry},
          {"same", diff.isEmpty()},
          {"same_source", diff.hasSameSource},
          {"ops", placesJson(diff.ops)},
          {"variables", placesJson(diff.variables)},
          {"edges", edges},
          {"bytes_per_step", changeJson(diff.bytesPerStep)},
          {"tasks", tasks},
          {"step_ms",
           changeJson(diff.stepSecondsFrom * 1e3, diff.stepSecondsTo * 1e3,
                      (diff.stepSecondsTo - diff.stepSecondsFrom) * 1e3)}};
}

} // namespace dtc::tool
