#include "passes/dist/PlacementProblem.h"

#include <algorithm>
#include <numeric>

namespace dtc::dist {

/// Indexes of the items, greedy: wishes first, then by size.
static std::vector<size_t> solvingOrder(const PlacementProblem &problem) {
  std::vector<size_t> order(problem.items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (problem.policy == PlacementPolicy::RoundRobin)
    return order;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const PlacementProblem::Item &left = problem.items[a];
    const PlacementProblem::Item &right = problem.items[b];
    if (left.fixedTask.has_value() != right.fixedTask.has_value())
      return left.fixedTask.has_value();
    return !left.fixedTask && left.bytes > right.bytes;
  });
  return order;
}

PlacementSolution solvePlacement(const PlacementProblem &problem) {
  PlacementSolution solution;
  solution.task.resize(problem.items.size());
  solution.before.resize(problem.items.size());
  solution.load.resize(problem.tasks);
  for (size_t index : solvingOrder(problem)) {
    const PlacementProblem::Item &item = problem.items[index];
    auto least = std::min_element(solution.load.begin(), solution.load.end());
    int64_t chosen = problem.policy == PlacementPolicy::RoundRobin
                         ? int64_t(index) % problem.tasks
                         : least - solution.load.begin();
    int64_t task = item.fixedTask.value_or(chosen);
    solution.task[index] = task;
    solution.before[index] = solution.load[task];
    solution.load[task] += item.bytes;
  }
  return solution;
}

std::string checkPlacement(const PlacementProblem &problem,
                           const PlacementSolution &solution) {
  if (solution.task.size() != problem.items.size())
    return "not every variable has a task";
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const PlacementProblem::Item &item = problem.items[i];
    int64_t task = solution.task[i];
    if (task < 0 || task >= problem.tasks)
      return "'" + item.name + "' is on task " + std::to_string(task) +
             ", but there are " + std::to_string(problem.tasks);
    if (item.fixedTask && *item.fixedTask != task)
      return "'" + item.name + "' is on task " + std::to_string(task) +
             ", but task " + std::to_string(*item.fixedTask) + " was asked for";
  }
  return "";
}

} // namespace dtc::dist
