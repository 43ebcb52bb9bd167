// plan-schedule: the final order of an activation's instructions.
//
// The order that partitions came in is kept (both ends of a channel share it);
// stores go last. A variable's value is read in place, so a store waits for
// every reader: that is how each read sees the step's start.
#include "mlir/IR/Builders.h"
#include "passes/plan/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace dtc::plan {
#define GEN_PASS_DEF_SCHEDULE
#include "passes/plan/Passes.h.inc"
} // namespace dtc::plan

using namespace mlir;
using namespace dtc::plan;

namespace {

void moveStoresLast(Block &block) {
  SmallVector<StoreVariableOp> stores(block.getOps<StoreVariableOp>());
  for (StoreVariableOp store : stores)
    store->moveBefore(&block, block.end());
}

/// Which instructions read each variable in place, by position.
llvm::StringMap<SetVector<int32_t>>
readersOf(Block &block, const DenseMap<Operation *, int32_t> &positions) {
  llvm::StringMap<SetVector<int32_t>> readers;
  for (auto load : block.getOps<LoadVariableOp>())
    for (Operation *user : load.getValue().getUsers())
      readers[load.getVariable()].insert(positions.lookup(user));
  return readers;
}

struct SchedulePass : dtc::plan::impl::ScheduleBase<SchedulePass> {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    moveStoresLast(block);
    DenseMap<Operation *, int32_t> positions;
    for (auto [position, op] : llvm::enumerate(block))
      positions[&op] = position;
    llvm::StringMap<SetVector<int32_t>> readers = readersOf(block, positions);
    for (auto store : block.getOps<StoreVariableOp>()) {
      SmallVector<int32_t> after = readers[store.getVariable()].takeVector();
      llvm::erase(after, positions.lookup(store));
      llvm::sort(after);
      if (!after.empty())
        store.setAfter(after);
    }
  }
};

} // namespace
