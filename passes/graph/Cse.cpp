// graph-cse: what is computed twice is computed once.
//
// `a + b` and `b + a` are equal too, so that gradients that meet in two places
// are summed once. Ops that the user put on different devices are not.
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/graph/Passes.h"
#include "passes/graph/RewriteCounts.h"
#include "llvm/ADT/DenseSet.h"

namespace dtc::graph {
#define GEN_PASS_DEF_CSE
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

namespace {

// Not maximum and minimum, which may differ in the sign of a zero.
bool isCommutative(Operation *op) {
  return isa<AddOp, MulOp, EqualOp, NotEqualOp, LogicalAndOp, LogicalOrOp>(op);
}

// Operands in an order that only serves to compare: it depends on addresses.
SmallVector<Value, 4> comparable(Operation *op) {
  SmallVector<Value, 4> operands(op->getOperands());
  if (isCommutative(op))
    llvm::sort(operands, [](Value a, Value b) {
      return a.getAsOpaquePointer() < b.getAsOpaquePointer();
    });
  return operands;
}

// Ops are equal when they compute the same.
struct SameComputation : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(Operation *op) {
    return llvm::hash_combine(op->getName(), op->getRawDictionaryAttrs(),
                              op->hashProperties(),
                              llvm::hash_combine_range(op->getResultTypes()),
                              llvm::hash_combine_range(comparable(op)));
  }
  static bool isEqual(Operation *lhs, Operation *rhs) {
    if (lhs == rhs)
      return true;
    if (lhs == getEmptyKey() || lhs == getTombstoneKey() ||
        rhs == getEmptyKey() || rhs == getTombstoneKey())
      return false;
    return lhs->getName() == rhs->getName() &&
           lhs->getRawDictionaryAttrs() == rhs->getRawDictionaryAttrs() &&
           lhs->getName().compareOpProperties(lhs->getPropertiesStorage(),
                                              rhs->getPropertiesStorage()) &&
           lhs->getResultTypes() == rhs->getResultTypes() &&
           comparable(lhs) == comparable(rhs);
  }
};

struct CsePass : dtc::graph::impl::CseBase<CsePass>, CountingPass {
  void runOnOperation() override {
    llvm::DenseSet<Operation *, SameComputation> known;
    int64_t erased = 0;
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front())) {
      if (!isPure(&op) || op.getNumRegions())
        continue;
      auto [first, isNew] = known.insert(&op);
      if (isNew)
        continue;
      op.replaceAllUsesWith((*first)->getResults());
      op.erase();
      ++erased;
    }
    count("cse", erased);
  }
};

} // namespace
