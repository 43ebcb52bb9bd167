// graph-simplify: applies the rules of Rules.h in one sweep over each function.
//
// A rule looks at an op and upwards only, and what is above has been simplified
// already: so one sweep does, and its cost is linear.
#include "passes/graph/Passes.h"
#include "passes/graph/RewriteCounts.h"
#include "passes/graph/Rules.h"

namespace dtc::graph {
#define GEN_PASS_DEF_SIMPLIFY
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc::graph;

namespace {

struct NamedRule {
  StringLiteral name;
  Rule apply;
};

constexpr NamedRule rules[] = {
    {"fold-constants", foldConstants},
    {"identities", removeIdentities},
    {"powers", simplifyPowers},
    {"divisions", invertDivisions},
    {"casts", mergeCasts},
    {"reshapes", mergeReshapes},
    {"transposes", mergeTransposes},
    {"moves", removeMoves},
    {"push-transposes", pushTransposes},
};

struct SimplifyPass : dtc::graph::impl::SimplifyBase<SimplifyPass>,
                      CountingPass {
  using SimplifyBase::SimplifyBase;

  void runOnOperation() override {
    SmallVector<NamedRule> active;
    for (const NamedRule &rule : rules)
      if (!llvm::is_contained(disable, rule.name) &&
          (only.empty() || llvm::is_contained(only, rule.name)))
        active.push_back(rule);
    OpBuilder builder(&getContext());
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front()))
      simplify(&op, active, builder);
  }

private:
  void simplify(Operation *op, ArrayRef<NamedRule> active, OpBuilder &builder) {
    while (op && op->getNumResults() == 1) {
      builder.setInsertionPoint(op);
      Operation *before = op->getPrevNode();
      Value value = applyFirst(op, active, builder);
      if (!value)
        return;
      Operation *made =
          op->getPrevNode() == before ? nullptr : value.getDefiningOp();
      if (made)
        takePlace(op, before);
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
      op = made;
    }
  }

  Value applyFirst(Operation *op, ArrayRef<NamedRule> active,
                   OpBuilder &builder) {
    for (const NamedRule &rule : active)
      if (Value value = rule.apply(op, builder)) {
        count(rule.name);
        return value;
      }
    return {};
  }

  // The ops between `before` and `op` belong where op does: to its device and
  // to the update of its variable. The last of them takes its name.
  static void takePlace(Operation *op, Operation *before) {
    std::string name = nameOf(op);
    if (!name.empty())
      setName(op->getPrevNode(), name);
    keepWishes(op, before, op->getPrevNode());
    Attribute update = op->getDiscardableAttr(updateAttrName);
    for (Operation *made = op->getPrevNode(); made != before;
         made = made->getPrevNode())
      if (update && !isa<ConstantOp>(made)) // constants are nobody's
        made->setDiscardableAttr(updateAttrName, update);
  }
};

} // namespace
