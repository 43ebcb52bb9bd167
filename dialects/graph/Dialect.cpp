#include "dialects/graph/Dialect.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/KnownAttributes.h"
#include "dialects/graph/Ops.h"
#include "dialects/graph/Syntax.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc::graph;

#include "dialects/graph/Dialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/graph/Attributes.cpp.inc"

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/graph/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/Ops.cpp.inc"
      >();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location location) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, elements);
}

namespace dtc::graph {

bool isOptimizer(Attribute attribute) {
  return isa<SgdAttr, MomentumAttr, AdagradAttr, AdamAttr, AdamwAttr,
             RmspropAttr, LambAttr>(attribute);
}

template <typename... Attributes>
static std::vector<std::string> namesOf() {
  return {Attributes::getMnemonic().str()...};
}

std::vector<std::string> attributeNames() {
  return namesOf<
#define GET_ATTRDEF_LIST
#include "dialects/graph/Attributes.cpp.inc"
      >();
}

bool isInitializer(Attribute attribute) {
  return isa<FillAttr, UniformAttr, NormalAttr, TruncatedNormalAttr,
             GlorotUniformAttr, HeNormalAttr, DenseElementsAttr>(attribute);
}

} // namespace dtc::graph

using llvm::APFloat;
using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static bool isAtLeast(const APFloat &value, double bound) {
  return value.convertToDouble() >= bound;
}

LogicalResult UniformAttr::verify(EmitError emitError, APFloat low,
                                  APFloat high) {
  if (low.convertToDouble() < high.convertToDouble())
    return success();
  return dtc::coded(emitError(), dtc::Code::BadAttribute)
         << "uniform: low must be below high";
}

static LogicalResult verifyNormal(EmitError emitError, const APFloat &stddev,
                                  StringRef name) {
  if (isAtLeast(stddev, 0))
    return success();
  return dtc::coded(emitError(), dtc::Code::BadAttribute)
         << name << ": the standard deviation must not be negative";
}

LogicalResult NormalAttr::verify(EmitError emitError, APFloat mean,
                                 APFloat stddev) {
  return verifyNormal(emitError, stddev, getMnemonic());
}

LogicalResult TruncatedNormalAttr::verify(EmitError emitError, APFloat mean,
                                          APFloat stddev) {
  return verifyNormal(emitError, stddev, getMnemonic());
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

// Rates are not negative; a schedule has checked its own.
static LogicalResult verifyRate(EmitError emitError, Attribute rate,
                                StringRef name) {
  auto number = dyn_cast<FloatAttr>(rate);
  if (!number || isAtLeast(number.getValue(), 0))
    return success();
  return dtc::coded(emitError(), dtc::Code::BadAttribute)
         << name << ": the learning rate must not be negative";
}

static LogicalResult verifySteps(EmitError emitError, int64_t steps,
                                 StringRef name, StringRef parameter) {
  if (steps >= 1)
    return success();
  return dtc::coded(emitError(), dtc::Code::BadAttribute)
         << name << ": " << parameter << " must be above 0, got " << steps;
}

// The first parameter that is negative is reported.
static LogicalResult verifyNotNegative(
    EmitError emitError, StringRef name,
    std::initializer_list<std::pair<StringRef, APFloat>> parameters) {
  for (const auto &[parameter, value] : parameters)
    if (!isAtLeast(value, 0))
      return dtc::coded(emitError(), dtc::Code::BadAttribute)
             << name << ": " << parameter << " must not be negative";
  return success();
}

// Boundaries in examples that are one and the same in steps would skip a value.
static LogicalResult verifyApart(EmitError emitError,
                                 ArrayRef<int64_t> boundaries, int64_t batch) {
  for (size_t i = 1; i < boundaries.size(); ++i)
    if (int64_t step = boundaries[i] / batch; step == boundaries[i - 1] / batch)
      return dtc::coded(emitError(), dtc::Code::BadAttribute)
             << "piecewise_constant: at a batch of " << batch << ", boundaries "
             << boundaries[i - 1] << " and " << boundaries[i]
             << " are both step " << step
             << "; give boundaries in examples, or leave batch out";
  return success();
}

LogicalResult PiecewiseConstantAttr::verify(EmitError emitError,
                                            DenseI64ArrayAttr boundaries,
                                            DenseF64ArrayAttr values,
                                            int64_t batch) {
  if (values.size() != boundaries.size() + 1)
    return dtc::coded(emitError(), dtc::Code::BadAttribute)
           << "piecewise_constant: " << boundaries.size() << " boundaries need "
           << boundaries.size() + 1 << " values, got " << values.size();
  int64_t last = -1;
  for (int64_t boundary : boundaries.asArrayRef()) {
    if (boundary <= last)
      return dtc::coded(emitError(), dtc::Code::BadAttribute)
             << "piecewise_constant: boundaries must not be "
                "negative and must grow, got "
             << boundary << (last < 0 ? "" : " after ")
             << (last < 0 ? std::string() : std::to_string(last));
    last = boundary;
  }
  for (double value : values.asArrayRef())
    if (!(value >= 0) || !std::isfinite(value))
      return dtc::coded(emitError(), dtc::Code::BadAttribute)
             << "piecewise_constant: a learning rate must not be "
                "negative";
  if (batch == noBatch)
    return success();
  if (batch < 1)
    return dtc::coded(emitError(), dtc::Code::BadAttribute)
           << "piecewise_constant: batch must be above 0, got " << batch;
  return verifyApart(emitError, boundaries.asArrayRef(), batch);
}

LogicalResult ExponentialDecayAttr::verify(EmitError emitError, APFloat rate,
                                           int64_t decaySteps,
                                           APFloat decayRate, bool staircase) {
  if (failed(verifySteps(emitError, decaySteps, getMnemonic(), "decay_steps")))
    return failure();
  return verifyNotNegative(emitError, getMnemonic(),
                           {{"rate", rate}, {"decay_rate", decayRate}});
}

LogicalResult CosineDecayAttr::verify(EmitError emitError, APFloat rate,
                                      int64_t decaySteps, APFloat alpha) {
  if (failed(verifySteps(emitError, decaySteps, getMnemonic(), "decay_steps")))
    return failure();
  return verifyNotNegative(emitError, getMnemonic(),
                           {{"rate", rate}, {"alpha", alpha}});
}

LogicalResult WarmUpAttr::verify(EmitError emitError, int64_t steps,
                                 Attribute after) {
  if (failed(verifySteps(emitError, steps, getMnemonic(), "steps")))
    return failure();
  return verifyRate(emitError, after, getMnemonic());
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

LogicalResult SgdAttr::verify(EmitError emitError, Attribute learningRate) {
  return verifyRate(emitError, learningRate, getMnemonic());
}

LogicalResult MomentumAttr::verify(EmitError emitError, Attribute learningRate,
                                   APFloat momentum, bool nesterov) {
  if (failed(verifyRate(emitError, learningRate, getMnemonic())))
    return failure();
  return verifyNotNegative(emitError, getMnemonic(), {{"momentum", momentum}});
}

LogicalResult AdagradAttr::verify(EmitError emitError, Attribute learningRate,
                                  APFloat initialAccumulator, APFloat epsilon) {
  if (failed(verifyRate(emitError, learningRate, getMnemonic())))
    return failure();
  return verifyNotNegative(
      emitError, getMnemonic(),
      {{"initial_accumulator", initialAccumulator}, {"epsilon", epsilon}});
}

// What adam and its kin share.
static LogicalResult verifyAdam(EmitError emitError, StringRef name,
                                Attribute learningRate, APFloat beta1,
                                APFloat beta2, APFloat epsilon) {
  if (failed(verifyRate(emitError, learningRate, name)))
    return failure();
  for (auto [parameter, beta] : {std::pair(StringRef("beta1"), beta1),
                                 std::pair(StringRef("beta2"), beta2)})
    if (!isAtLeast(beta, 0) || isAtLeast(beta, 1))
      return dtc::coded(emitError(), dtc::Code::BadAttribute)
             << name << ": " << parameter << " must be from 0 to below 1, got "
             << beta.convertToDouble();
  return verifyNotNegative(emitError, name, {{"epsilon", epsilon}});
}

LogicalResult AdamAttr::verify(EmitError emitError, Attribute learningRate,
                               APFloat beta1, APFloat beta2, APFloat epsilon) {
  return verifyAdam(emitError, getMnemonic(), learningRate, beta1, beta2,
                    epsilon);
}

LogicalResult AdamwAttr::verify(EmitError emitError, Attribute learningRate,
                                APFloat beta1, APFloat beta2, APFloat epsilon,
                                APFloat weightDecay) {
  if (failed(verifyAdam(emitError, getMnemonic(), learningRate, beta1, beta2,
                        epsilon)))
    return failure();
  return verifyNotNegative(emitError, getMnemonic(),
                           {{"weight_decay", weightDecay}});
}

LogicalResult RmspropAttr::verify(EmitError emitError, Attribute learningRate,
                                  APFloat rho, APFloat momentum,
                                  APFloat epsilon) {
  if (failed(verifyRate(emitError, learningRate, getMnemonic())))
    return failure();
  if (!isAtLeast(rho, 0) || isAtLeast(rho, 1))
    return dtc::coded(emitError(), dtc::Code::BadAttribute)
           << "rmsprop: rho must be from 0 to below 1, got "
           << rho.convertToDouble();
  return verifyNotNegative(emitError, getMnemonic(),
                           {{"momentum", momentum}, {"epsilon", epsilon}});
}

LogicalResult LambAttr::verify(EmitError emitError, Attribute learningRate,
                               APFloat beta1, APFloat beta2, APFloat epsilon,
                               APFloat weightDecay) {
  if (failed(verifyAdam(emitError, getMnemonic(), learningRate, beta1, beta2,
                        epsilon)))
    return failure();
  return verifyNotNegative(emitError, getMnemonic(),
                           {{"weight_decay", weightDecay}});
}

LogicalResult ColumnAttr::verify(EmitError emitError, StringRef name,
                                 int64_t first, int64_t end, APFloat scale,
                                 APFloat min, APFloat max) {
  if (name.empty())
    return dtc::coded(emitError(), dtc::Code::BadAttribute)
           << "column: a column needs a name";
  if (first < 0 || end <= first)
    return dtc::coded(emitError(), dtc::Code::BadAttribute)
           << "column \"" << name << "\": fields " << first << " to " << end
           << " are none; `fields A to B` means A <= field < B";
  if (min.convertToDouble() > max.convertToDouble())
    return dtc::coded(emitError(), dtc::Code::BadAttribute)
           << "column \"" << name << "\": the range's ends are swapped";
  return success();
}
