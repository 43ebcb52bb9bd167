// WaitGraph: who waits for whom, and whether everything can happen.
#pragma once

#include <cstdint>
#include <vector>

namespace dtc {

/// Nodes are numbers below `nodes`. Not thread-safe while waits are added.
class WaitGraph {
public:
  explicit WaitGraph(uint32_t nodes) : nodes_(nodes) {}

  /// `node` waits for `other`; `why` is the caller's to read.
  void wait(uint32_t node, uint32_t other, uint8_t why) {
    waits_.push_back({node, other, why});
  }

  /// One wait of a circle: `node` waits for the next one's node.
  struct Wait {
    uint32_t node, other;
    uint8_t why;
  };
  /// The shortest circle of waits, or nothing when there is none. Without one
  /// it takes time and memory linear in nodes and waits; of equally short ones
  /// it is the one through the least node. (In a graph with very many long
  /// circles the search ends early, with one that may not be the shortest.)
  std::vector<Wait> shortestCircle() const;

private:
  uint32_t nodes_;
  std::vector<Wait> waits_; // in the order in which they were added
};

} // namespace dtc
