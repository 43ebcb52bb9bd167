// How a placement is looked for. CostModel.cpp says what it comes to.
#include "passes/dist/CostPolicy.h"

#include <algorithm>
#include <random>

#include "passes/dist/CostLists.h"

namespace dtc::dist {
namespace {

// Ops looked at while improving placements, and for alternatives.
constexpr int64_t searchBudget = 3'000'000, alternativesBudget = 1'000'000;
// Items of a problem in which pairs of them change places.
constexpr size_t mostSwapped = 100;

// Devices on which all that may is put together; they are alike.
constexpr size_t mostGathered = 8;
// Placements drawn at random to begin with, of problems that are small.
constexpr int scatters = 16;

/// A placement with its outcome.
struct Candidate {
  std::vector<size_t> device;
  CostOutcome outcome;
};

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

class Search {
public:
  explicit Search(const CostProblem &problem)
      : problem_(problem), chains_(chainsOf(problem)),
        neighbours_(problem.items.size()) {
    for (const CostProblem::Op &op : problem.ops)
      for (size_t operand : op.operands)
        addNeighbours(op.item, problem.ops[operand].item);
  }

  Candidate evaluate(std::vector<size_t> device) {
    CostOutcome outcome = evaluateCost(problem_, device);
    return {std::move(device), std::move(outcome)};
  }
  const std::vector<std::vector<size_t>> &chains() const { return chains_; }
  /// Moves chains, groups and items until nothing helps or the budget is spent.
  /// Returns what it spent.
  int64_t improve(Candidate &candidate, int64_t budget);

private:
  void addNeighbours(size_t a, size_t b) {
    if (a == b)
      return;
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  std::vector<std::vector<size_t>>
  groupsOf(const std::vector<size_t> &device) const;
  std::vector<std::vector<size_t>>
  borderOf(const std::vector<size_t> &device) const;
  bool moveGroups(Candidate &candidate,
                  const std::vector<std::vector<size_t>> &groups,
                  int64_t &budget);
  bool swapItems(Candidate &candidate, int64_t &budget);
  bool tryPlacement(Candidate &candidate, std::vector<size_t> device,
                    int64_t &budget);

  const CostProblem &problem_;
  std::vector<std::vector<size_t>> chains_;
  std::vector<std::vector<size_t>> neighbours_; // of each item
};

/// Items that hang together on one device, and may move.
std::vector<std::vector<size_t>>
Search::groupsOf(const std::vector<size_t> &device) const {
  std::vector<std::vector<size_t>> groups;
  std::vector<bool> isSeen(device.size());
  for (size_t first = 0; first < device.size(); ++first) {
    if (isSeen[first] || problem_.items[first].isFixed())
      continue;
    std::vector<size_t> group = {first};
    isSeen[first] = true;
    for (size_t at = 0; at < group.size(); ++at)
      for (size_t next : neighbours_[group[at]])
        if (!isSeen[next] && !problem_.items[next].isFixed() &&
            device[next] == device[first]) {
          isSeen[next] = true;
          group.push_back(next);
        }
    if (group.size() > 1)
      groups.push_back(std::move(group));
  }
  return groups;
}

/// Items that have a neighbour elsewhere, each alone.
std::vector<std::vector<size_t>>
Search::borderOf(const std::vector<size_t> &device) const {
  std::vector<std::vector<size_t>> border;
  for (size_t item = 0; item < device.size(); ++item) {
    auto isElsewhere = [&](size_t next) {
      return device[next] != device[item];
    };
    if (!problem_.items[item].isFixed() &&
        std::any_of(neighbours_[item].begin(), neighbours_[item].end(),
                    isElsewhere))
      border.push_back({item});
  }
  return border;
}

/// Takes another placement if it is better.
bool Search::tryPlacement(Candidate &candidate, std::vector<size_t> device,
                          int64_t &budget) {
  budget -= int64_t(problem_.ops.size()) + 1;
  Candidate next = evaluate(std::move(device));
  if (!next.outcome.isBetterThan(candidate.outcome))
    return false;
  candidate = std::move(next);
  return true;
}

/// Moves each group to each device, as far as its items may be there.
bool Search::moveGroups(Candidate &candidate,
                        const std::vector<std::vector<size_t>> &groups,
                        int64_t &budget) {
  bool isBetter = false;
  for (const std::vector<size_t> &group : groups)
    for (size_t target = 0; target < problem_.devices.size(); ++target) {
      auto moves = [&](size_t item) {
        return candidate.device[item] != target &&
               problem_.items[item].mayBeOn(target);
      };
      budget -= int64_t(group.size());
      if (budget <= 0)
        return isBetter;
      if (std::none_of(group.begin(), group.end(), moves))
        continue;
      std::vector<size_t> moved = candidate.device;
      for (size_t item : group)
        if (moves(item))
          moved[item] = target;
      isBetter |= tryPlacement(candidate, std::move(moved), budget);
    }
  return isBetter;
}

/// Changes the places of two items: where memory is full, nothing else may go.
bool Search::swapItems(Candidate &candidate, int64_t &budget) {
  const std::vector<CostProblem::Item> &items = problem_.items;
  bool isBetter = false;
  if (items.size() > mostSwapped)
    return false; // there are too many pairs
  for (size_t a = 0; a < items.size(); ++a)
    for (size_t b = a + 1; b < items.size(); ++b) {
      std::vector<size_t> moved = candidate.device;
      if (moved[a] == moved[b] || !items[a].mayBeOn(moved[b]) ||
          !items[b].mayBeOn(moved[a]))
        continue;
      if (budget <= 0)
        return isBetter;
      std::swap(moved[a], moved[b]);
      isBetter |= tryPlacement(candidate, std::move(moved), budget);
    }
  return isBetter;
}

int64_t Search::improve(Candidate &candidate, int64_t budget) {
  int64_t left = budget;
  while (moveGroups(candidate, chains_, left) ||
         moveGroups(candidate, groupsOf(candidate.device), left) ||
         moveGroups(candidate, borderOf(candidate.device), left) ||
         swapItems(candidate, left))
    continue;
  return budget - left;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

std::vector<size_t> initialOf(const CostProblem &problem) {
  std::vector<size_t> device;
  for (const CostProblem::Item &item : problem.items)
    device.push_back(item.initialDevice);
  return device;
}

/// As many items as may on one device, the others where they are initially.
std::vector<size_t> together(const CostProblem &problem, size_t device) {
  std::vector<size_t> devices;
  for (const CostProblem::Item &item : problem.items)
    devices.push_back(item.mayBeOn(device) ? device : item.initialDevice);
  return devices;
}

/// Chains on devices drawn by a generator of our own, the same everywhere.
std::vector<size_t> scattered(const CostProblem &problem,
                              const std::vector<std::vector<size_t>> &chains,
                              std::mt19937 &random) {
  std::vector<size_t> devices = initialOf(problem);
  for (const std::vector<size_t> &chain : chains) {
    size_t device = random() % problem.devices.size();
    for (size_t item : chain)
      if (problem.items[item].mayBeOn(device))
        devices[item] = device;
  }
  return devices;
}

/// Placements to begin with, the initial one first.
std::vector<Candidate> beginnings(const CostProblem &problem, Search &search) {
  std::vector<Candidate> candidates = {search.evaluate(initialOf(problem))};
  for (size_t device = 0; device < problem.devices.size(); ++device)
    if (device < mostGathered)
      candidates.push_back(search.evaluate(together(problem, device)));
  for (double caution : {1.0, 2.0, 4.0})
    candidates.push_back(search.evaluate(placeByLists(problem, caution)));
  std::mt19937 random(1);
  int64_t cost = scatters * int64_t(problem.ops.size());
  for (int i = 0; i < scatters && cost * 100 < searchBudget; ++i)
    candidates.push_back(
        search.evaluate(scattered(problem, search.chains(), random)));
  return candidates;
}

std::vector<CostAlternative> alternativesOf(const CostProblem &problem,
                                            std::vector<size_t> device,
                                            size_t item) {
  std::vector<CostAlternative> alternatives;
  size_t chosen = device[item];
  for (size_t other = problem.items[item].firstDevice;
       other < problem.items[item].endDevice; ++other) {
    if (other == chosen)
      continue;
    device[item] = other;
    CostOutcome outcome = evaluateCost(problem, device);
    alternatives.push_back({other, outcome.stepSeconds, outcome.lackingBytes});
  }
  std::stable_sort(alternatives.begin(), alternatives.end(),
                   [](const CostAlternative &a, const CostAlternative &b) {
                     return std::pair(a.lackingBytes, a.stepSeconds) <
                            std::pair(b.lackingBytes, b.stepSeconds);
                   });
  return alternatives;
}

void addAlternatives(const CostProblem &problem, CostSolution &solution) {
  solution.alternatives.resize(problem.items.size());
  int64_t tries = 0;
  for (const CostProblem::Item &item : problem.items)
    tries += int64_t(item.endDevice - item.firstDevice) - 1;
  if (tries * int64_t(problem.ops.size()) > alternativesBudget)
    return;
  for (size_t item = 0; item < problem.items.size(); ++item)
    if (!problem.items[item].isFixed())
      solution.alternatives[item] =
          alternativesOf(problem, solution.device, item);
}

} // namespace

CostSolution solveCost(const CostProblem &problem) {
  Search search(problem);
  std::vector<Candidate> candidates = beginnings(problem, search);
  CostOutcome before = candidates.front().outcome;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate &a, const Candidate &b) {
                     return a.outcome.isBetterThan(b.outcome);
                   });
  // What is not the best may become it. The best has its share first.
  int64_t budget = searchBudget;
  for (size_t i = 0; i < candidates.size() && budget > 0; ++i)
    budget -= search.improve(candidates[i], budget / 2);
  auto best = std::min_element(candidates.begin(), candidates.end(),
                               [](const Candidate &a, const Candidate &b) {
                                 return a.outcome.isBetterThan(b.outcome);
                               });
  if (before.lackingBytes <= best->outcome.lackingBytes &&
      best->outcome.stepSeconds > before.stepSeconds * (1 - problem.leastGain))
    *best = {initialOf(problem), before};
  CostSolution solution{.device = best->device,
                        .outcome = best->outcome,
                        .initial = before,
                        .alternatives = {}};
  addAlternatives(problem, solution);
  return solution;
}

} // namespace dtc::dist
