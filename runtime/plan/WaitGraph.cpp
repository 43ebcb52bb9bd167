#include "runtime/plan/WaitGraph.h"

#include <algorithm>

namespace dtc {
namespace {

// Nodes that the search for the shortest circle may look at.
constexpr uint64_t maxSearchSteps = 20'000'000;

using Wait = WaitGraph::Wait;

/// Waits sorted by the node that waits (or that is waited for).
struct Index {
  std::vector<uint32_t> begin; // by node, and the end
  std::vector<const Wait *> waits;

  Index(uint32_t nodes, const std::vector<Wait> &all, uint32_t Wait::*by)
      : begin(nodes + 1), waits(all.size()) {
    for (const Wait &wait : all)
      ++begin[wait.*by + 1];
    for (uint32_t node = 0; node < nodes; ++node)
      begin[node + 1] += begin[node];
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (const Wait &wait : all)
      waits[next[wait.*by]++] = &wait;
  }
};

/// What is left when everything that can happen has happened.
std::vector<bool> stuckNodes(const Index &waitsOf, const Index &wakes) {
  uint32_t nodes = waitsOf.begin.size() - 1;
  std::vector<uint32_t> pending(nodes), ready;
  for (uint32_t node = 0; node < nodes; ++node) {
    pending[node] = waitsOf.begin[node + 1] - waitsOf.begin[node];
    if (pending[node] == 0)
      ready.push_back(node);
  }
  std::vector<bool> stuck(nodes, true);
  while (!ready.empty()) {
    uint32_t node = ready.back();
    ready.pop_back();
    stuck[node] = false;
    for (uint32_t i = wakes.begin[node]; i < wakes.begin[node + 1]; ++i)
      if (--pending[wakes.waits[i]->node] == 0)
        ready.push_back(wakes.waits[i]->node);
  }
  return stuck;
}

/// Searches among the stuck nodes.
class Search {
public:
  Search(const Index &waitsOf, const std::vector<bool> &stuck)
      : waitsOf_(waitsOf), stuck_(stuck), cameBy_(stuck.size()),
        seen_(stuck.size()) {}

  std::vector<Wait> shortest() {
    auto first = std::find(stuck_.begin(), stuck_.end(), true);
    if (first == stuck_.end())
      return {};
    std::vector<Wait> best =
        through(nodeOfACircle(first - stuck_.begin()), UINT32_MAX);
    for (uint32_t start = 0; start < stuck_.size() && steps_ < maxSearchSteps;
         ++start)
      if (stuck_[start]) {
        std::vector<Wait> circle = through(start, best.size());
        if (!circle.empty())
          best = std::move(circle);
      }
    return best;
  }

private:
  /// Any stuck node leads to a circle: walk until a node comes twice.
  uint32_t nodeOfACircle(uint32_t node) const {
    std::vector<bool> walked(stuck_.size());
    while (!walked[node]) {
      walked[node] = true;
      for (uint32_t i = waitsOf_.begin[node]; i < waitsOf_.begin[node + 1]; ++i)
        if (stuck_[waitsOf_.waits[i]->other]) {
          node = waitsOf_.waits[i]->other;
          break;
        }
    }
    return node;
  }

  /// The shortest circle through `start`, unless it has `shorterThan` waits or
  /// more: breadth first.
  std::vector<Wait> through(uint32_t start, uint32_t shorterThan) {
    std::vector<uint32_t> frontier = {start};
    ++search_;
    for (uint32_t length = 1; length < shorterThan && !frontier.empty();
         ++length) {
      std::vector<uint32_t> next;
      for (uint32_t node : frontier)
        for (uint32_t i = waitsOf_.begin[node]; i < waitsOf_.begin[node + 1];
             ++i) {
          const Wait *wait = waitsOf_.waits[i];
          ++steps_;
          if (wait->other == start)
            return backTo(start, wait);
          if (!stuck_[wait->other] || seen_[wait->other] == search_)
            continue;
          seen_[wait->other] = search_;
          cameBy_[wait->other] = wait;
          next.push_back(wait->other);
        }
      frontier = std::move(next);
    }
    return {};
  }

  std::vector<Wait> backTo(uint32_t start, const Wait *last) const {
    std::vector<Wait> circle = {*last};
    while (circle.back().node != start)
      circle.push_back(*cameBy_[circle.back().node]);
    std::reverse(circle.begin(), circle.end());
    return circle;
  }

  const Index &waitsOf_;
  const std::vector<bool> &stuck_;
  std::vector<const Wait *> cameBy_; // by node, of the running search
  std::vector<uint32_t> seen_;       // the last search that met the node
  uint32_t search_ = 0;
  uint64_t steps_ = 0;
};

} // namespace

std::vector<Wait> WaitGraph::shortestCircle() const {
  Index waitsOf(nodes_, waits_, &Wait::node);
  Index wakes(nodes_, waits_, &Wait::other);
  std::vector<bool> stuck = stuckNodes(waitsOf, wakes);
  return Search(waitsOf, stuck).shortest();
}

} // namespace dtc
