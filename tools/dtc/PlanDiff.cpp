#include "tools/dtc/PlanDiff.h"

#include <map>
#include <set>

#include "tools/dtc/PlanGraph.h"
#include "tools/dtc/PlanReport.h"

namespace dtc::tool {
namespace {

struct Standing {
  std::string kind;
  std::set<std::string> places;
};
using Standings = std::map<std::string, Standing>; // by name

/// What the graph says to do. Reads follow their variables, sends and recvs
/// their edges.
bool isPlaced(const PlanOp &op) {
  if (op.name.empty() || op.kind == "graph.constant")
    return false;
  return op.kernel || op.it().has_read_input() || op.it().has_write_fetch();
}

Standings opsOf(const PlanSide &side) {
  Standings ops;
  PlanGraph graph(side.plan, side.entry);
  for (const PlanOp &op : graph.ops()) {
    if (!isPlaced(op))
      continue;
    Standing &standing = ops[op.name];
    standing.kind = op.kind;
    standing.places.insert(op.task + " " + kindName(op.activation->kind()));
  }
  return ops;
}

Standings variablesOf(const PlanSide &side) {
  Standings variables;
  for (const proto::Variable &variable : side.plan.proto().variables())
    variables[variable.name()] = {"variable",
                                  {toTaskId(variable.home()).toString()}};
  return variables;
}

/// The names of both, sorted.
template <typename Map>
std::set<std::string> namesOf(const Map &a, const Map &b) {
  std::set<std::string> names;
  for (const Map *map : {&a, &b})
    for (const auto &[name, value] : *map)
      names.insert(name);
  return names;
}

std::vector<PlaceChange> placeChanges(Standings a, Standings b) {
  std::vector<PlaceChange> changes;
  for (const std::string &name : namesOf(a, b)) {
    const Standing &from = a[name], &to = b[name];
    if (from.places != to.places)
      changes.push_back({name,
                         to.kind.empty() ? from.kind : to.kind,
                         {from.places.begin(), from.places.end()},
                         {to.places.begin(), to.places.end()}});
  }
  return changes;
}

/// What each edge moves in a step, over all its tasks.
std::map<std::string, uint64_t> edgesOf(const PlanSide &side) {
  std::map<std::string, uint64_t> bytes;
  for (const proto::Edge &edge : side.entry.edges())
    for (const auto &[source, target] : edgeEnds(side.plan, side.entry, edge))
      bytes[edge.key()] += source == target ? 0 : edge.bytes();
  return bytes;
}

std::vector<BytesChange> edgeChanges(std::map<std::string, uint64_t> a,
                                     std::map<std::string, uint64_t> b) {
  std::vector<BytesChange> changes;
  for (const std::string &key : namesOf(a, b))
    if (a[key] != b[key])
      changes.push_back({key, a[key], b[key]});
  return changes;
}

std::map<std::string, TaskReport> tasksOf(const PlanSide &side) {
  std::map<std::string, TaskReport> tasks;
  for (const TaskReport &task : reportEntry(side.plan, side.entry).tasks)
    tasks.emplace(task.task.toString(), task);
  return tasks;
}

std::vector<TaskChange> taskChanges(std::map<std::string, TaskReport> a,
                                    std::map<std::string, TaskReport> b) {
  std::vector<TaskChange> changes;
  for (const std::string &name : namesOf(a, b)) {
    const TaskReport &from = a[name], &to = b[name];
    if (from.arenaBytes != to.arenaBytes ||
        from.variableBytes != to.variableBytes)
      changes.push_back({name,
                         {"arena", from.arenaBytes, to.arenaBytes},
                         {"variables", from.variableBytes, to.variableBytes}});
  }
  return changes;
}

} // namespace

bool PlanDiff::isEmpty() const {
  return ops.empty() && variables.empty() && edges.empty() && tasks.empty() &&
         stepSecondsFrom == stepSecondsTo;
}

PlanDiff diffPlans(const PlanSide &a, const PlanSide &b) {
  return {.entry = a.entry.name(),
          .hasSameSource =
              a.plan.proto().source_sha256() == b.plan.proto().source_sha256(),
          .ops = placeChanges(opsOf(a), opsOf(b)),
          .variables = placeChanges(variablesOf(a), variablesOf(b)),
          .edges = edgeChanges(edgesOf(a), edgesOf(b)),
          .bytesPerStep = {"bytes a step", a.plan.bytesPerStep(a.entry),
                           b.plan.bytesPerStep(b.entry)},
          .tasks = taskChanges(tasksOf(a), tasksOf(b)),
          .stepSecondsFrom = a.stepSeconds,
          .stepSecondsTo = b.stepSeconds};
}

} // namespace dtc::tool
