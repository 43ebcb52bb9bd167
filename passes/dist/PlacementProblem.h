// PlacementProblem: which task of a job holds which variable. Plain C++, apart
// from the IR, so that it can be tested and replaced.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dtc::dist {

/// How the tasks are chosen where the user did not.
enum class PlacementPolicy {
  /// The largest first, each to the task that holds the fewest bytes (ties: the
  /// lowest task, and the earlier declaration). Largest first, because
  /// TensorFlow's order of declaration leaves the last large variable on a task
  /// that is full already (P7).
  Greedy,
  /// The k-th item to task k mod n, in order of declaration (P6). An item with
  /// a wish is counted, too.
  RoundRobin,
};

struct PlacementProblem {
  /// A variable and what must sit with it (its slots).
  struct Item {
    std::string name;
    int64_t bytes = 0;
    std::optional<int64_t> fixedTask; // the user's wish
  };
  int64_t tasks = 1;
  std::vector<Item> items; // in the order of their declaration
  PlacementPolicy policy = PlacementPolicy::Greedy;
};

struct PlacementSolution {
  std::vector<int64_t> task;   // of each item
  std::vector<int64_t> before; // bytes that its task held when it was chosen
  std::vector<int64_t> load;   // bytes of each task in the end
};

/// Places fixed items where they are wished, and the others as the policy says.
PlacementSolution solvePlacement(const PlacementProblem &problem);

/// Empty if `solution` places every item on an existing task and respects the
/// wishes; otherwise a sentence.
std::string checkPlacement(const PlacementProblem &problem,
                           const PlacementSolution &solution);

} // namespace dtc::dist
