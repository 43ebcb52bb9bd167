#include "runtime/plan/WaitGraph.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

std::vector<uint32_t> nodesOf(const std::vector<WaitGraph::Wait> &circle) {
  std::vector<uint32_t> nodes;
  for (const WaitGraph::Wait &wait : circle)
    nodes.push_back(wait.node);
  return nodes;
}

TEST(WaitGraph, ADiamondIsNoCircle) {
  WaitGraph graph(4);
  graph.wait(0, 1, 0);
  graph.wait(0, 2, 0);
  graph.wait(1, 3, 0);
  graph.wait(2, 3, 0);
  EXPECT_TRUE(graph.shortestCircle().empty());
}

// 0 → 1 → 2 → 3 → 0, and a way from 2 to 5 → 6 → 2, which is shorter.
TEST(WaitGraph, FindsTheShortestCircle) {
  WaitGraph graph(7);
  for (uint32_t node = 0; node < 4; ++node)
    graph.wait(node, (node + 1) % 4, 0);
  graph.wait(2, 5, 0);
  graph.wait(5, 6, 0);
  graph.wait(6, 2, 7);
  auto circle = graph.shortestCircle();
  EXPECT_EQ(nodesOf(circle), (std::vector<uint32_t>{2, 5, 6}));
  EXPECT_EQ(circle.back().why, 7);
}

TEST(WaitGraph, ANodeMayWaitForItself) {
  WaitGraph graph(2);
  graph.wait(0, 1, 0);
  graph.wait(1, 1, 0);
  EXPECT_EQ(nodesOf(graph.shortestCircle()), (std::vector<uint32_t>{1}));
}

} // namespace
} // namespace dtc
