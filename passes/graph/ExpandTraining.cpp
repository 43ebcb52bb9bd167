// graph-expand-training: minimize → gradients, apply ops, assignments.
//
// For each variable that the loss depends on, in the order of declaration, its
// gradient ("w1.grad"), the optimizer's op ("w1.new") and an assignment. What
// an optimizer remembers is a variable of its own: a slot ("w1.momentum").
//
// Steps are counted in @global_step, but only where something needs the count:
// a schedule, adam's bias, graph.global_step, or a declaration in the file. A
// function with minimize then adds 1 to it, unless it assigns it itself.
#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/GradientMaker.h"
#include "passes/graph/Differentiate.h"
#include "passes/graph/Optimizers.h"
#include "passes/graph/Passes.h"
#include "passes/graph/TrainingNumbers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace dtc::graph {
#define GEN_PASS_DEF_EXPANDTRAINING
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

namespace {

constexpr llvm::StringLiteral kGlobalStep = "global_step";

// Expands one minimize.
class Expansion {
public:
  Expansion(MinimizeOp minimize, SymbolTable &symbols, Value step)
      : minimize_(minimize), symbols_(symbols), step_(step),
        builder_(minimize) {}

  LogicalResult run() {
    SmallVector<Trained> trained = findCandidates();
    if (failed(addGradients(trained)) || failed(checkDependence(trained)) ||
        failed(checkUnassigned(trained)))
      return failure();
    for (Trained each : trained)
      if (each.gradient && failed(checkNumbers(minimize_, each.variable)))
        return failure();
    if (failed(UpdateBuilder(minimize_, symbols_, step_).build(trained)))
      return failure();
    minimize_.erase();
    return success();
  }

private:
  // The float variables that the function reads and may train. All reads of
  // one variable become its first.
  SmallVector<Trained> findCandidates() {
    llvm::StringMap<ReadOp> first;
    for (auto read :
         llvm::make_early_inc_range(minimize_->getBlock()->getOps<ReadOp>())) {
      auto [entry, isNew] = first.try_emplace(read.getVariable(), read);
      if (!isNew)
        read.replaceAllUsesWith(entry->second.getResult());
    }
    SmallVector<Trained> trained;
    for (auto variable :
         minimize_->getParentOfType<ModuleOp>().getOps<VariableOp>()) {
      ReadOp read = first.lookup(variable.getSymName());
      if (read && isFloatTensor(variable.getType()) && mayTrain(variable))
        trained.push_back({variable, read.getValue(), Value()});
    }
    return trained;
  }

  bool mayTrain(VariableOp variable) {
    if (!minimize_.getVariables())
      return !variable.getSlot();
    return llvm::is_contained(
        minimize_.getVariablesAttr(),
        FlatSymbolRefAttr::get(variable.getSymNameAttr()));
  }

  LogicalResult addGradients(SmallVector<Trained> &trained) {
    auto values =
        llvm::map_to_vector(trained, [](Trained t) { return t.value; });
    auto gradients = differentiate(minimize_.getLoss(), values, builder_);
    if (failed(gradients))
      return failure();
    for (auto [each, gradient] : llvm::zip_equal(trained, *gradients)) {
      each.gradient = gradient;
      if (gradient)
        setName(gradient, (each.variable.getSymName() + ".grad").str());
    }
    return success();
  }

  // Whoever trains must train something, and all that it names.
  LogicalResult checkDependence(MutableArrayRef<Trained> trained) {
    if (!minimize_.getVariables()) {
      if (llvm::any_of(trained, [](Trained t) { return t.gradient; }))
        return success();
      return refuseUntrainable();
    }
    for (Attribute name : minimize_.getVariablesAttr()) {
      auto isNamed = [&](Trained &each) {
        return each.gradient && each.variable.getSymName() ==
                                    cast<FlatSymbolRefAttr>(name).getValue();
      };
      if (llvm::none_of(trained, isNamed))
        return report() << "the loss does not depend on " << name;
    }
    return success();
  }

  // Of no variable at all, or of none that can be trained.
  LogicalResult refuseUntrainable() {
    llvm::SetVector<Operation *> above;
    above.insert(minimize_.getLoss().getDefiningOp());
    for (size_t i = 0; i < above.size(); ++i) {
      if (!above[i]) // a feed
        continue;
      for (Value operand : above[i]->getOperands())
        above.insert(operand.getDefiningOp());
      auto read = dyn_cast<ReadOp>(above[i]);
      if (!read || isFloatTensor(read.getType()))
        continue;
      InFlightDiagnostic diagnostic =
          report() << "the loss depends on no variable of floats, and only "
                      "floats can be trained";
      diagnostic.attachNote(read.getLoc())
          << "@" << read.getVariable() << " is " << read.getType();
      return diagnostic;
    }
    return report() << "the loss depends on no variable";
  }

  // The verifier would say so at the end, after all other expansions.
  LogicalResult checkUnassigned(ArrayRef<Trained> trained) {
    for (auto assign : minimize_->getBlock()->getOps<AssignOp>())
      for (Trained each : trained)
        if (each.gradient &&
            each.variable.getSymName() == assign.getVariable()) {
          InFlightDiagnostic diagnostic = report(Code::NameTaken)
                                          << "@" << assign.getVariable()
                                          << " is assigned twice in one step";
          diagnostic.attachNote(assign.getLoc()) << "first here";
          return diagnostic;
        }
    return success();
  }

  InFlightDiagnostic report(Code code = Code::NotTrainable) {
    return coded(minimize_->emitError(), code) << "minimize: ";
  }

  MinimizeOp minimize_;
  SymbolTable &symbols_;
  Value step_;
  OpBuilder builder_;
};

// The counter of steps of one module.
class StepCounter {
public:
  StepCounter(ModuleOp module, SymbolTable &symbols)
      : module_(module), symbols_(symbols) {}

  // Declares the variable if it is needed and missing.
  LogicalResult declare() {
    Operation *taken = symbols_.lookup(kGlobalStep);
    variable_ = dyn_cast_if_present<VariableOp>(taken);
    if (variable_ && variable_.getType() != countType())
      variable_ = {};
    Operation *user = variable_ ? nullptr : firstUser();
    if (!user)
      return success();
    if (taken) {
      InFlightDiagnostic diagnostic =
          coded(user->emitError(), Code::NameTaken)
          << user->getName().stripDialect()
          << ": counts steps in the variable @global_step : "
             "tensor<i64>, but the name is taken";
      diagnostic.attachNote(taken->getLoc()) << "by this";
      return diagnostic;
    }
    OpBuilder builder(module_.getContext());
    variable_ = VariableOp::create(
        builder, withoutNames(user->getLoc()), kGlobalStep, countType(),
        FillAttr::get(module_.getContext(), 0.0), /*slot=*/false);
    symbols_.insert(variable_, firstFunction());
    return success();
  }

  // Reads the counter in a function that needs it, once; null in others.
  Value read(FuncOp func) {
    if (!variable_ || !isUsedIn(func))
      return {};
    Block &body = func.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    Location location = namedLocation(kGlobalStep, variable_.getLoc());
    Value step = ReadOp::create(builder, location, countType(), kGlobalStep);
    for (auto op : llvm::make_early_inc_range(body.getOps<GlobalStepOp>())) {
      op.getStep().replaceAllUsesWith(step);
      op.erase();
    }
    return step;
  }

  // Adds 1 at the end of a function that trains.
  void increment(FuncOp func, Value step) {
    if (!step || isAssignedIn(func))
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(&func.getBody().front());
    auto one = ConstantOp::create(
        builder, withoutNames(step.getLoc()),
        DenseElementsAttr::get(countType(), builder.getI64IntegerAttr(1)));
    AssignAddOp::create(builder, withoutNames(step.getLoc()), kGlobalStep, one);
  }

private:
  RankedTensorType countType() {
    return RankedTensorType::get({},
                                 IntegerType::get(module_.getContext(), 64));
  }

  // The first op that cannot do without, or null.
  Operation *firstUser() {
    Operation *user = nullptr;
    module_.walk([&](Operation *op) {
      auto minimize = dyn_cast<MinimizeOp>(op);
      if (!isa<GlobalStepOp>(op) && !(minimize && needsStep(minimize)))
        return WalkResult::advance();
      user = op;
      return WalkResult::interrupt();
    });
    return user;
  }

  Block::iterator firstFunction() {
    Block *body = module_.getBody();
    return llvm::find_if(*body, [](Operation &op) { return isa<FuncOp>(op); });
  }

  static bool isUsedIn(FuncOp func) {
    return llvm::any_of(func.getBody().front(), [](Operation &op) {
      return isa<MinimizeOp, GlobalStepOp>(op);
    });
  }

  static bool isAssignedIn(FuncOp func) {
    return llvm::any_of(func.getBody().front(), [](Operation &op) {
      auto assign = dyn_cast<AssignOp>(op);
      auto add = dyn_cast<AssignAddOp>(op);
      return (assign && assign.getVariable() == kGlobalStep) ||
             (add && add.getVariable() == kGlobalStep);
    });
  }

  ModuleOp module_;
  SymbolTable &symbols_;
  VariableOp variable_;
};

// assign_add → read, add, assign.
void expandAssignAdd(AssignAddOp op) {
  OpBuilder builder(op);
  Location location = withoutNames(op.getLoc());
  auto read = ReadOp::create(builder, namedLocation(op.getVariable(), location),
                             op.getValue().getType(), op.getVariable());
  auto add = AddOp::create(
      builder, namedLocation((op.getVariable() + ".new").str(), location), read,
      op.getValue());
  auto assign =
      AssignOp::create(builder, location, op.getVariable(), add.getResult());
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    assign->setDiscardableAttr(attribute.getName(), attribute.getValue());
  op.erase();
}

struct ExpandTrainingPass
    : dtc::graph::impl::ExpandTrainingBase<ExpandTrainingPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    StepCounter counter(getOperation(), symbols);
    if (failed(counter.declare()))
      return signalPassFailure();
    for (auto func : getOperation().getOps<FuncOp>())
      if (failed(expand(func, counter, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult expand(FuncOp func, StepCounter &counter,
                       SymbolTable &symbols) {
    Block &body = func.getBody().front();
    auto minimizes = llvm::to_vector(body.getOps<MinimizeOp>());
    Value step = counter.read(func);
    for (MinimizeOp minimize : minimizes)
      if (failed(Expansion(minimize, symbols, step).run()))
        return failure();
    if (!minimizes.empty())
      counter.increment(func, step);
    for (auto op : llvm::make_early_inc_range(body.getOps<AssignAddOp>()))
      expandAssignAdd(op);
    return success();
  }
};

} // namespace
