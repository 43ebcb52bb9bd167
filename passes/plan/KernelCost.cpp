#include "passes/plan/KernelCost.h"

#include "dialects/graph/Ops.h"

using namespace mlir;
using namespace dtc;

static int64_t bytesRead(BlockArgument input) {
  int64_t rows = 0;
  for (Operation *user : input.getUsers()) {
    auto gather = dyn_cast<graph::GatherOp>(user);
    if (!gather || gather.getX() != input)
      return graph::sizeBytes(input.getType());
    rows += graph::sizeBytes(gather.getResult().getType());
  }
  return rows;
}

graph::OpCost plan::costOfKernel(KernelOp kernel) {
  graph::OpCost cost;
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator())
    cost += graph::computationOf(&op);
  for (BlockArgument input : body.getArguments())
    cost.bytesRead += bytesRead(input);
  for (Type type : kernel.getResultTypes())
    cost.bytesWritten += graph::sizeBytes(type);
  return cost;
}
