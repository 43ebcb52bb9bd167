// What a plan says of itself: tasks, edges, kernels, memory. For people as
// tables, for programs as JSON. Never loads code.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc::tool {

using Json = nlohmann::ordered_json;

/// One task's share of an entry.
struct TaskReport {
  TaskId task;
  std::string device; // "cpu:0"
  uint64_t ops = 0, launches = 0, sends = 0, recvs = 0;
  uint64_t bytesSentPerStep = 0, bytesReceivedPerStep = 0;
  uint64_t arenaBytes = 0;    // of all activations that may be alive at once
  uint64_t variableBytes = 0; // that live here, slots included
  uint64_t parameters = 0;    // elements of them, slots apart
};

/// One concrete edge; a template's edge gives one for each pair of tasks.
struct EdgeReport {
  std::string key, tensor, type;
  std::string wire; // what its elements are while they cross
  std::string reason, location;
  TaskId source, target;
  uint64_t bytes = 0;    // on the wire
  bool isNarrow = false; // the wire's elements are not the type's
};

struct EntryReport {
  const proto::Entry *entry;
  std::vector<TaskReport> tasks;
  std::vector<EdgeReport> edges;
};

EntryReport reportEntry(const Plan &plan, const proto::Entry &entry);
/// The entry that `name` says; without a name the one that trains, else the
/// first. NOT_FOUND lists those that exist.
Result<const proto::Entry *> chooseEntry(const Plan &plan,
                                         const std::string &name);

/// The object of `dtc inspect --json` ("dtc.inspect/1").
Json toJson(const Plan &plan, const EntryReport &report);

std::string taskTable(const EntryReport &report);
std::string edgeTable(const EntryReport &report);
std::string kernelTable(const Plan &plan);
std::string memoryTable(const Plan &plan, const EntryReport &report);

/// "38 KB", "1.2 MB".
std::string humanBytes(uint64_t bytes);

} // namespace dtc::tool
