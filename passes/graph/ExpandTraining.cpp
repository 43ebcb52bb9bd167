// graph-expand-training: minimize → gradients, apply ops, assignments.
//
// For each variable that the loss depends on, in the order of declaration, its
// gradient ("w1.grad"), the optimizer's op ("w1.new") and an assignment. What
// an optimizer remembers is a variable of its own: a slot ("w1.momentum").
#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/GradientMaker.h"
#include "passes/graph/Differentiate.h"
#include "passes/graph/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace dtc::graph {
#define GEN_PASS_DEF_EXPANDTRAINING
#include "passes/graph/Passes.h.inc"
} // namespace dtc::graph

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

namespace {

// A variable under training, its value in the step, and its gradient.
struct Trained {
  VariableOp variable;
  Value value;
  Value gradient;
};

// Expands one minimize.
class Expansion {
public:
  Expansion(MinimizeOp minimize, SymbolTable &symbols)
      : minimize_(minimize), symbols_(symbols), builder_(minimize) {}

  LogicalResult run() {
    SmallVector<Trained> trained = findCandidates();
    if (failed(addGradients(trained)) || failed(checkDependence(trained)))
      return failure();
    for (Trained &each : trained)
      if (each.gradient && failed(update(each)))
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
        llvm::map_to_vector(trained, [](const Trained &t) { return t.value; });
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
      if (llvm::any_of(trained, [](const Trained &t) { return t.gradient; }))
        return success();
      return report() << "the loss depends on no variable";
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

  LogicalResult update(Trained &trained) {
    Location location = minimize_.getLoc();
    std::string name = trained.variable.getSymName().str();
    Location named = namedLocation(name + ".new", location);
    if (auto sgd = dyn_cast<SgdAttr>(minimize_.getOptimizer())) {
      auto apply = ApplyGradientDescentOp::create(
          builder_, named, trained.value, trained.gradient,
          scalar(sgd.getLearningRate(), trained.value));
      assign(name, apply.getNewVariable());
      return success();
    }
    auto momentum = cast<MomentumAttr>(minimize_.getOptimizer());
    FailureOr<VariableOp> slot = findSlot(trained.variable, "momentum");
    if (failed(slot))
      return failure();
    auto read =
        ReadOp::create(builder_, namedLocation(slot->getSymName(), location),
                       trained.value.getType(), slot->getSymName());
    auto apply = ApplyMomentumOp::create(
        builder_, named, trained.value, read.getValue(), trained.gradient,
        scalar(momentum.getLearningRate(), trained.value),
        real(momentum.getMomentum()), /*nesterov=*/UnitAttr());
    setName(apply.getNewSlot(), (slot->getSymName() + ".new").str());
    assign(name, apply.getNewVariable());
    assign(slot->getSymName(), apply.getNewSlot());
    return success();
  }

  // The slot of a variable, zero at first; entry points that train with one
  // optimizer share it.
  FailureOr<VariableOp> findSlot(VariableOp variable, StringRef kind) {
    std::string name = (variable.getSymName() + "." + kind).str();
    if (Operation *taken = symbols_.lookup(name)) {
      auto slot = dyn_cast<VariableOp>(taken);
      if (slot && slot.getSlot() && slot.getType() == variable.getType())
        return slot;
      InFlightDiagnostic diagnostic = report(Code::NameTaken)
                                      << "needs a slot @" << name
                                      << ", but the name is taken";
      diagnostic.attachNote(taken->getLoc()) << "by this";
      return diagnostic;
    }
    OpBuilder builder(variable.getContext());
    auto slot = VariableOp::create(
        builder, withoutNames(variable.getLoc()), name, variable.getType(),
        FillAttr::get(variable.getContext(), 0.0), /*slot=*/true);
    if (Attribute device = variable->getDiscardableAttr("device"))
      slot->setDiscardableAttr("device", device);
    symbols_.insert(slot, std::next(Block::iterator(variable)));
    return slot;
  }

  void assign(StringRef variable, Value value) {
    AssignOp::create(builder_, withoutNames(minimize_.getLoc()), variable,
                     value);
  }

  // A constant of `like`'s element type.
  Value scalar(const llvm::APFloat &value, Value like) {
    return Maker(builder_, minimize_).scalar(value.convertToDouble(), like);
  }

  FloatAttr real(const llvm::APFloat &value) {
    return builder_.getF64FloatAttr(value.convertToDouble());
  }

  InFlightDiagnostic report(Code code = Code::NotTrainable) {
    return coded(minimize_->emitError(), code) << "minimize: ";
  }

  MinimizeOp minimize_;
  SymbolTable &symbols_;
  OpBuilder builder_;
};

struct ExpandTrainingPass
    : dtc::graph::impl::ExpandTrainingBase<ExpandTrainingPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<MinimizeOp> minimizes;
    getOperation().walk([&](MinimizeOp op) { minimizes.push_back(op); });
    for (MinimizeOp minimize : minimizes)
      if (failed(Expansion(minimize, symbols).run()))
        return signalPassFailure();
  }
};

} // namespace
