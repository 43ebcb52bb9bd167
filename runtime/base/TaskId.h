// TaskId: who a task is in its cluster ("worker:1").
#pragma once

#include <compare>
#include <ostream>
#include <string>

namespace dtc {

struct TaskId {
  std::string job;
  int index = 0; // -1 in a plan's templates: every task of the job

  std::string toString() const {
    return job + ":" + (index < 0 ? "*" : std::to_string(index));
  }
  friend auto operator<=>(const TaskId &, const TaskId &) = default;
};

inline std::ostream &operator<<(std::ostream &out, const TaskId &task) {
  return out << task.toString();
}

} // namespace dtc
