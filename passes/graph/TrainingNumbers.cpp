#include "passes/graph/TrainingNumbers.h"

#include "dialects/diagnostics/Coded.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc;
using namespace dtc::graph;

namespace {

struct Number {
  StringRef name;
  llvm::APFloat value;
};
using Numbers = SmallVector<Number>;

} // namespace

// The learning rates that a number or a schedule says.
static void addRate(Attribute rate, Numbers &numbers) {
  auto add = [&](StringRef name, llvm::APFloat value) {
    numbers.push_back({name, value});
  };
  llvm::TypeSwitch<Attribute>(rate)
      .Case<FloatAttr>(
          [&](auto number) { add("learning_rate", number.getValue()); })
      .Case<PiecewiseConstantAttr>([&](auto schedule) {
        for (double value : schedule.getValues().asArrayRef())
          add("learning_rate", llvm::APFloat(value));
      })
      .Case<ExponentialDecayAttr>([&](auto schedule) {
        add("rate", schedule.getRate());
        add("decay_rate", schedule.getDecayRate());
      })
      .Case<CosineDecayAttr>([&](auto schedule) {
        add("rate", schedule.getRate());
        add("alpha", schedule.getAlpha());
      })
      .Case<WarmUpAttr>(
          [&](auto schedule) { addRate(schedule.getAfter(), numbers); });
}

// What an optimizer says; betas and rho are below 1 anyway.
static Numbers numbersOf(Attribute optimizer) {
  Numbers numbers;
  auto add = [&](StringRef name, llvm::APFloat value) {
    numbers.push_back({name, value});
  };
  llvm::TypeSwitch<Attribute>(optimizer)
      .Case<SgdAttr, MomentumAttr, AdagradAttr, AdamAttr, AdamwAttr,
            RmspropAttr, LambAttr>(
          [&](auto kind) { addRate(kind.getLearningRate(), numbers); });
  llvm::TypeSwitch<Attribute>(optimizer)
      .Case<AdagradAttr, AdamAttr, AdamwAttr, RmspropAttr, LambAttr>(
          [&](auto kind) { add("epsilon", kind.getEpsilon()); });
  llvm::TypeSwitch<Attribute>(optimizer)
      .Case<MomentumAttr, RmspropAttr>(
          [&](auto kind) { add("momentum", kind.getMomentum()); })
      .Case<AdagradAttr>([&](auto kind) {
        add("initial_accumulator", kind.getInitialAccumulator());
      })
      .Case<AdamwAttr, LambAttr>(
          [&](auto kind) { add("weight_decay", kind.getWeightDecay()); });
  return numbers;
}

LogicalResult dtc::graph::checkNumbers(MinimizeOp minimize,
                                       VariableOp variable) {
  auto check = [&](const Number &number, Type element) -> LogicalResult {
    if (holdsNumber(element, number.value))
      return success();
    InFlightDiagnostic diagnostic =
        coded(minimize->emitError("minimize: "), Code::BadAttribute)
        << number.name << " " << number.value.convertToDouble()
        << " would be infinite in " << element << ", the elements of @"
        << variable.getSymName();
    diagnostic.attachNote(variable.getLoc())
        << "@" << variable.getSymName() << " is declared here";
    return diagnostic;
  };
  Type element = getElementTypeOrSelf(variable.getType());
  Numbers numbers = numbersOf(minimize.getOptimizer());
  if (auto decay = minimize.getWeightDecay())
    numbers.push_back({"weight_decay", *decay});
  for (const Number &number : numbers)
    if (failed(check(number, element)))
      return failure();
  // A norm is computed in f32 at least.
  if (!element.isF64())
    element = Float32Type::get(minimize.getContext());
  auto bound = minimize.getClipByGlobalNorm();
  return bound ? check({"clip_by_global_norm", *bound}, element) : success();
}
