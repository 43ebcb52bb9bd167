// graph-inline: every call becomes the ops of the private function it calls,
// and the private functions go.
//
// Functions are flattened callees first, so that each call is looked at once.
// Sizes are counted before anything is made: forty functions that each call the
// next one twice would otherwise be a trillion ops.
#include "dialects/diagnostics/Coded.h"
#include "mlir/IR/IRMapping.h"
#include "passes/graph/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace dtc::graph {
#define GEN_PASS_DEF_INLINE
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

namespace {

constexpr int64_t maxOps = 10'000'000;

// The functions of a module, and in which order they are flattened.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module) {
    for (auto func : module.getOps<FuncOp>())
      functions_[func.getSymName()].func = func;
    for (auto &[name, function] : functions_)
      for (auto call : function.func.getBody().front().getOps<CallOp>())
        function.calls.push_back(call);
  }

  // Callees before callers; fails after a report of a cycle or of a function
  // that would be too large.
  FailureOr<SmallVector<FuncOp>> order() {
    SmallVector<FuncOp> done;
    for (auto &[name, function] : functions_)
      if (failed(visit(&function, done)))
        return failure();
    return done;
  }

  FuncOp callee(CallOp call) { return functions_[call.getCallee()].func; }

private:
  struct Function {
    FuncOp func;
    SmallVector<CallOp> calls;
    size_t next = 0; // the call to look at; beyond the last when it is done
    bool isOpen = false;
    int64_t ops = 0;
  };

  // Depth first without recursion: files may nest calls deeply.
  LogicalResult visit(Function *root, SmallVector<FuncOp> &done) {
    SmallVector<Function *> stack = {root};
    while (!stack.empty()) {
      Function *top = stack.back();
      if (top->ops)
        stack.pop_back();
      else if (top->isOpen = true; top->next < top->calls.size()) {
        CallOp call = top->calls[top->next++];
        Function *callee = &functions_[call.getCallee()];
        if (callee->isOpen)
          return reportCycle(call, stack, callee);
        if (!callee->ops)
          stack.push_back(callee);
      } else {
        if (failed(close(top)))
          return failure();
        done.push_back(top->func);
        stack.pop_back();
      }
    }
    return success();
  }

  LogicalResult close(Function *function) {
    function->isOpen = false;
    function->ops = function->func.getBody().front().getOperations().size() + 1;
    for (CallOp call : function->calls) {
      function->ops += functions_[call.getCallee()].ops;
      if (function->ops > maxOps)
        return coded(call.emitError(), Code::TooLarge)
               << "call: @" << function->func.getSymName()
               << " would have more than " << maxOps << " ops";
    }
    return success();
  }

  static LogicalResult reportCycle(CallOp call, ArrayRef<Function *> stack,
                                   Function *first) {
    InFlightDiagnostic diagnostic = coded(call.emitError(), Code::BadEntry)
                                    << "call: a function cannot call itself: ";
    for (Function *function :
         llvm::make_range(llvm::find(stack, first), stack.end()))
      diagnostic << "@" << function->func.getSymName() << " calls ";
    return diagnostic << "@" << first->func.getSymName();
  }

  llvm::MapVector<StringRef, Function> functions_;
};

// Puts the ops of one function in the place of one call.
class Inlining {
public:
  Inlining(CallOp call, FuncOp callee) : call_(call), callee_(callee) {
    place_ = withoutNames(call.getLoc());
    if (call.getScope())
      scope_ = call.getScope()->str();
    else if (call.getNumResults())
      scope_ = nameOf(call.getResult(0));
    if (scope_.empty())
      scope_ = callee.getSymName().str();
  }

  void run() {
    OpBuilder builder(call_);
    Block &body = callee_.getBody().front();
    IRMapping values;
    values.map(body.getArguments(), call_.getInputs());
    auto last = cast<ReturnOp>(body.getTerminator());
    findNames(body, last);
    for (Operation &op : body.without_terminator())
      adopt(builder.clone(op, values));
    for (auto [result, returned] :
         llvm::zip_equal(call_.getResults(), last.getValues())) {
      Value value = values.lookup(returned);
      if (value.getDefiningOp() && isLocal(returned) && !nameOf(result).empty())
        setName(value, nameOf(result));
      result.replaceAllUsesWith(value);
    }
    call_.erase();
  }

private:
  bool isLocal(Value value) {
    return value.getParentBlock() == &callee_.getBody().front() &&
           !isa<BlockArgument>(value);
  }

  // What the function's own values will be called.
  void findNames(Block &body, ReturnOp last) {
    for (Operation &op : body)
      for (Value result : op.getResults())
        newNames_[nameOf(result)] = scope_ + "." + nameOf(result);
    for (auto [result, returned] :
         llvm::zip_equal(call_.getResults(), last.getValues()))
      if (isLocal(returned) && !nameOf(result).empty())
        newNames_[nameOf(returned)] = nameOf(result);
  }

  // Gives a cloned op its names, its way here, and the call's device.
  void adopt(Operation *op) {
    SmallVector<std::string> names = llvm::map_to_vector(
        op->getResults(), [](OpResult result) { return nameOf(result); });
    op->setLoc(CallSiteLoc::get(withoutNames(op->getLoc()), place_));
    for (auto [result, name] : llvm::zip_equal(op->getResults(), names))
      if (!name.empty())
        setName(result, scope_ + "." + name);
    renameColocations(op);
    if (!op->getDiscardableAttr(deviceWishName) &&
        !op->getDiscardableAttr(colocateWishName))
      keepWishes(call_, op);
  }

  // Names of the function's own values change with them.
  void renameColocations(Operation *op) {
    SmallVector<Attribute> names;
    Builder builder(op->getContext());
    for (StringRef name : colocationNames(op)) {
      auto renamed = newNames_.find(name);
      names.push_back(builder.getStringAttr(
          renamed == newNames_.end() ? name.str() : renamed->second));
    }
    if (!names.empty())
      op->setDiscardableAttr(colocateWishName, builder.getArrayAttr(names));
  }

  CallOp call_;
  FuncOp callee_;
  Location place_ = UnknownLoc::get(call_.getContext());
  std::string scope_;
  llvm::StringMap<std::string> newNames_; // by name in the function
};

struct InlinePass : dtc::graph::impl::InlineBase<InlinePass> {
  void runOnOperation() override {
    CallGraph graph(getOperation());
    FailureOr<SmallVector<FuncOp>> order = graph.order();
    if (failed(order))
      return signalPassFailure();
    for (FuncOp func : *order)
      for (auto call :
           llvm::make_early_inc_range(func.getBody().front().getOps<CallOp>()))
        Inlining(call, graph.callee(call)).run();
    for (FuncOp func : *order)
      if (func.isPrivate())
        func.erase();
  }
};

} // namespace
