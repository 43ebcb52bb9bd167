#include "passes/dist/SplitEntry.h"

#include "passes/dist/SplitUpdate.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {
namespace {

class EntrySplitter {
public:
  EntrySplitter(graph::FuncOp func, const Variables &variables,
                const SplitTable &splits)
      : func_(func), variables_(variables), parts_(func, variables, splits),
        region_(func, variables) {}

  void split() {
    collect();
    for (auto &[owner, assigns] : assigns_)
      UpdateSplitter(parts_, region_, owner,
                     *parts_.splitOf(owner.getSymName()))
          .split(assigns);
    for (auto [gather, read] : lookUps_)
      parts_.lookUp(gather, read);
    eraseUnused(); // what was done with whole variables
    for (auto read : llvm::make_early_inc_range(body().getOps<graph::ReadOp>()))
      if (parts_.splitOf(read.getVariable()))
        parts_.join(read);
    moveMarks();
  }

private:
  Block &body() { return func_.getBody().front(); }
  void collect();
  void eraseUnused();
  void moveMarks();

  graph::FuncOp func_;
  const Variables &variables_;
  PartBuilder parts_;
  UpdateRegion region_;
  llvm::MapVector<graph::VariableOp, SmallVector<graph::AssignOp>> assigns_;
  SmallVector<std::pair<graph::GatherOp, graph::ReadOp>> lookUps_;
};

void EntrySplitter::collect() {
  for (Operation &op : body()) {
    if (auto assign = dyn_cast<graph::AssignOp>(op);
        assign && parts_.splitOf(assign.getVariable()))
      assigns_[variables_.ownerOf(variables_[assign.getVariable()])].push_back(
          assign);
    auto gather = dyn_cast<graph::GatherOp>(op);
    auto read = gather ? gather.getX().getDefiningOp<graph::ReadOp>() : nullptr;
    if (!read || gather.getAxis() != 0 || region_.isUpdate(gather))
      continue;
    const Split *split = parts_.splitOf(read.getVariable());
    if (split && split->axis == 0)
      lookUps_.push_back({gather, read});
  }
}

void EntrySplitter::eraseUnused() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// What is done once for a whole variable is done where its first part is.
void EntrySplitter::moveMarks() {
  for (Operation &op : body()) {
    auto mark = op.getAttrOfType<FlatSymbolRefAttr>(graph::updateAttrName);
    if (mark && parts_.splitOf(mark.getValue()))
      op.setAttr(graph::updateAttrName,
                 FlatSymbolRefAttr::get(op.getContext(),
                                        parts_.partOf(mark.getValue(), 0)));
  }
}

} // namespace

void splitEntry(graph::FuncOp func, const Variables &variables,
                const SplitTable &splits) {
  EntrySplitter(func, variables, splits).split();
}

} // namespace dtc::dist
