// graph-verify-closed: the door from WHAT to WHERE. What passes it has only
// graph ops, no minimize, and unique names; that every shape is known, the ops'
// own verifiers see to, which it calls.
#include "dialects/diagnostics/Coded.h"
#include "mlir/IR/Verifier.h"
#include "passes/graph/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace dtc::graph {
#define GEN_PASS_DEF_VERIFYCLOSED
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

namespace {

// Checks the values of one function.
class Check {
public:
  LogicalResult run(FuncOp func) {
    for (BlockArgument argument : func.getArguments())
      if (failed(visit(argument)))
        return failure();
    for (Operation &op : func.getBody().front())
      if (failed(visit(&op)))
        return failure();
    return success();
  }

private:
  LogicalResult visit(Operation *op) {
    if (!isa_and_present<GraphDialect>(op->getDialect()))
      return coded(op->emitError(), Code::BadEntry)
             << "'" << op->getName() << "' is no op of the graph dialect";
    if (isa<MinimizeOp>(op))
      return coded(op->emitError("minimize: is not expanded; run "
                                 "graph-expand-training first"),
                   Code::Bug);
    if (isa<CompositeOpInterface>(op))
      return coded(op->emitError(), Code::Bug)
             << op->getName().stripDialect()
             << ": is not expanded; run graph-expand-composites first";
    for (Value result : op->getResults())
      if (failed(visit(result)))
        return failure();
    return success();
  }

  LogicalResult visit(Value value) {
    StringAttr name = nameAttrOf(value);
    if (!name || name.empty())
      return coded(emitError(value.getLoc()), Code::Bug)
             << "a value without a name is left; run graph-assign-names first";
    auto [first, isNew] = names_.try_emplace(name, value);
    if (isNew)
      return success();
    InFlightDiagnostic diagnostic =
        coded(emitError(value.getLoc()), Code::NameTaken)
        << "two values are named '" << name.getValue()
        << "'; run graph-assign-names";
    diagnostic.attachNote(first->second.getLoc()) << "first here";
    return diagnostic;
  }

  llvm::DenseMap<StringAttr, Value> names_; // looked up only
};

// A module holds variables and entry points, nothing else.
LogicalResult checkModule(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa<VariableOp, FuncOp>(op))
      return coded(op.emitError(), Code::BadEntry)
             << "'" << op.getName()
             << "' cannot stand in a module; variables and "
                "functions can, other ops stand in functions";
  return success();
}

struct VerifyClosedPass : dtc::graph::impl::VerifyClosedBase<VerifyClosedPass> {
  void runOnOperation() override {
    if (failed(verify(getOperation())) || failed(checkModule(getOperation())))
      return signalPassFailure();
    for (auto func : getOperation().getOps<FuncOp>())
      if (failed(Check().run(func)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
