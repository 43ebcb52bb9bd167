#include "passes/plan/GroupBody.h"

#include "dialects/graph/Ops.h"

using namespace mlir;

namespace dtc::plan {

GroupBody::GroupBody(const KernelGroup &group) {
  llvm::SmallPtrSet<Operation *, 16> members(group.begin(), group.end());
  auto append = [&](Operation *op) {
    ops_.push_back(op);
    for (Value result : op->getResults())
      numbers_.try_emplace(result, numbers_.size());
  };
  for (Operation *op : group) {
    for (Value operand : op->getOperands()) {
      if (numbers_.contains(operand))
        continue;
      if (auto constant = operand.getDefiningOp<graph::ConstantOp>()) {
        append(constant);
      } else {
        inputs_.push_back(operand);
        numbers_.try_emplace(operand, numbers_.size());
      }
    }
    for (Value operand : op->getOperands())
      reads_.push_back(numbers_.lookup(operand));
    append(op);
    auto isElsewhere = [&](Operation *user) { return !members.contains(user); };
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isElsewhere))
        outputs_.push_back(result);
  }
  for (Value output : outputs_)
    reads_.push_back(numbers_.lookup(output));
}

llvm::hash_code GroupBody::hash() const {
  llvm::hash_code hash = llvm::hash_combine_range(reads_);
  for (Value input : inputs_)
    hash = llvm::hash_combine(hash, input.getType());
  for (Operation *op : ops_)
    hash = llvm::hash_combine(
        hash, op->getName(),
        op->getName().hashOpProperties(op->getPropertiesStorage()),
        llvm::hash_combine_range(op->getResultTypes()));
  return hash;
}

static bool computeTheSame(Operation *a, Operation *b) {
  return a->getName() == b->getName() &&
         a->getResultTypes() == b->getResultTypes() &&
         a->getName().compareOpProperties(a->getPropertiesStorage(),
                                          b->getPropertiesStorage());
}

bool GroupBody::isComputedBy(KernelOp kernel) const {
  Block &body = kernel.getBody().front();
  auto ops = body.without_terminator();
  return llvm::equal(TypeRange(inputs()), body.getArgumentTypes()) &&
         std::equal(ops_.begin(), ops_.end(), ops.begin(), ops.end(),
                    [](Operation *mine, Operation &its) {
                      return computeTheSame(mine, &its);
                    });
}

} // namespace dtc::plan
