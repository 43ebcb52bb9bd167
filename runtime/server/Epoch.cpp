#include "runtime/server/Epoch.h"

namespace dtc {

Status Epoch::add(const std::string &task, const InputRows &rows) {
  if (rows.steps < 1)
    return Status::ok();
  auto [place, isNew] = seen_.try_emplace(rows.input, Seen{task, rows});
  const Seen &seen = place->second;
  if (rows.steps != seen.rows.steps)
    return Status::invalidArgument(strCat(
        task, " has ", rows.steps, " steps an epoch, ", seen.task, " has ",
        seen.rows.steps, "\nhelp: give all tasks the same data"));
  if (rows.digest != seen.rows.digest)
    return Status::invalidArgument(
        strCat(task, " reads other rows than ", seen.task,
               "\nhelp: give all tasks the same data"));
  if (isNew && (steps_ == 0 || rows.steps < steps_)) {
    steps_ = rows.steps;
    dropped_ = rows.dropped;
  }
  return Status::ok();
}

} // namespace dtc
