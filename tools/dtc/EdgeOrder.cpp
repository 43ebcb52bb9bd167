#include "tools/dtc/EdgeOrder.h"

#include <functional>
#include <queue>

#include "tools/dtc/PlanGraph.h"

namespace dtc::tool {

std::vector<uint32_t> edgesInDataOrder(const Plan &plan,
                                       const proto::Entry &entry) {
  PlanGraph graph(plan, entry);
  const std::vector<PlanOp> &ops = graph.ops();
  // Of several orders that of the text.
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  std::vector<size_t> pending;
  for (const PlanOp &op : ops) {
    if (op.inputs.empty())
      ready.push(pending.size());
    pending.push_back(op.inputs.size());
  }
  std::vector<uint32_t> edges;
  while (!ready.empty()) {
    const PlanOp &op = ops[ready.top()];
    ready.pop();
    if (op.it().has_send())
      edges.push_back(op.it().send().edge());
    for (size_t user : op.users)
      if (--pending[user] == 0)
        ready.push(user);
  }
  return edges;
}

} // namespace dtc::tool
