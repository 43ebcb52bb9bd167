#include "dialects/graph/GraphSource.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/KnownAttributes.h"
#include "dialects/graph/Ops.h"
#include "dialects/graph/Wishes.h"

using namespace mlir;

namespace dtc::graph {
namespace {

LogicalResult checkOp(Operation *op) {
  if (isa_and_present<GraphDialect>(op->getDialect()))
    return success();
  return coded(op->emitError(), Code::BadEntry)
         << "'" << op->getName() << "' is no op of the graph dialect";
}

LogicalResult checkUnmade(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (StringRef name = attribute.getName(); !isWritable(op, name))
      return coded(op->emitError("attribute '"), Code::UnknownAttribute)
             << name << "' is for the compiler's own use" << "; leave it out";
  return success();
}

// Nobody would see that it ran.
LogicalResult checkEffect(FuncOp func) {
  auto hasEffect = [](Operation &op) {
    return isa<OutputOp, AssignOp, AssignAddOp, MinimizeOp>(op);
  };
  if (func.isPrivate() || llvm::any_of(func.getBody().front(), hasEffect))
    return success();
  return coded(func->emitError("func: @"), Code::BadEntry)
         << func.getSymName()
         << " does nothing: it has no output, assigns and trains nothing"
         << "; give what it computes a name with graph.output";
}

} // namespace

LogicalResult checkSource(ModuleOp module) {
  bool isRight = succeeded(checkUnmade(module));
  for (Operation &top : *module.getBody())
    top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // One complaint an op, and none of what a foreign one holds.
      if (failed(checkOp(op))) {
        isRight = false;
        return WalkResult::skip();
      }
      isRight &= succeeded(checkUnmade(op));
      return WalkResult::advance();
    });
  for (auto func : module.getOps<FuncOp>())
    isRight &= succeeded(checkEffect(func));
  return success(succeeded(checkColocations(module)) && isRight);
}

} // namespace dtc::graph
