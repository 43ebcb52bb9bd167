// PlanDiff: what became of a plan's placement in another plan: who moved, and
// what that does to edges, memory and the predicted step.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// One of the two plans, with its prediction.
struct PlanSide {
  const Plan &plan;
  const proto::Entry &entry;
  double stepSeconds = 0;
};

/// Something that stands elsewhere. A name may stand at several places, and
/// nowhere in a plan that does not have it.
struct PlaceChange {
  std::string name, kind;            // "h1", "graph.matmul"
  std::vector<std::string> from, to; // "worker:* step"; sorted, each once
};

/// A number of bytes in either plan; 0 where it has no such thing.
struct BytesChange {
  std::string name;
  uint64_t from = 0, to = 0;
  int64_t delta() const { return int64_t(to) - int64_t(from); }
};

/// What a task holds.
struct TaskChange {
  std::string task;
  BytesChange arena, variables;
};

struct PlanDiff {
  std::string entry;
  bool hasSameSource = true;               // the graphs' texts are equal
  std::vector<PlaceChange> ops, variables; // by name; those that differ
  std::vector<BytesChange> edges; // by key; a step's; those that differ
  BytesChange bytesPerStep;       // of all edges
  std::vector<TaskChange> tasks;  // by name; those that differ
  double stepSecondsFrom = 0, stepSecondsTo = 0;

  bool isEmpty() const;
};

/// From `a` to `b`. Constants are copied to where they are needed, so they do
/// not count as moved.
PlanDiff diffPlans(const PlanSide &a, const PlanSide &b);

std::string diffText(const PlanDiff &diff);
nlohmann::ordered_json diffJson(const PlanDiff &diff); // "dtc.diff/1"

} // namespace dtc::tool
