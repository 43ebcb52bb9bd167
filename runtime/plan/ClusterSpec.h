// ClusterSpec: which tasks a cluster has, where they listen, and which of them
// this process is. The one parser of TF_CONFIG, of cluster files (the same
// JSON) and of shapes ("ps=1,worker=2").
//
//   {"cluster": {"ps": ["h1:2222"], "worker": ["h2:2222", "h3:2222"]},
//    "task": {"type": "worker", "index": 0}}
//
// A job may also be an object from index to address ({"1": "h3:2222"}). Other
// members of the top level ("environment", "rpc_layer") are left to others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"

namespace dtc {

struct ClusterSpec {
  struct Job {
    std::string name;
    std::map<int, std::string> tasks; // index → "host:port"; "" in a shape
  };
  std::vector<Job> jobs; // in the order given; never empty

  std::optional<TaskId> task; // who this process is, when the text says so

  /// Parses JSON that nobody vouches for. `name` is what messages call it
  /// ("TF_CONFIG", a path). Errors: INVALID_ARGUMENT with line and column,
  /// what is wrong and, on a line "help: …", what would be right.
  static Result<ClusterSpec> parseJson(std::string_view text,
                                       const std::string &name);
  /// Parses "ps=1,worker=2": a shape, without addresses.
  static Result<ClusterSpec> parseShape(std::string_view text);

  const Job *job(std::string_view name) const;
  bool hasTask(const TaskId &task) const;
  /// The task's address; "" when it has none.
  std::string address(const TaskId &task) const;
  /// Tasks in the order of jobs and indexes. An evaluator is a task of its own
  /// and no part of the cluster that trains.
  std::vector<TaskId> trainingTasks() const;
  /// Is it dense (tasks 0 … n-1 in each job of the training cluster)?
  Status checkDense() const;
};

/// "ps=1,worker=2": how many tasks of each job, in their order.
std::string shapeText(const std::vector<TaskId> &tasks);

} // namespace dtc
