#include "dialects/graph/Dialect.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/KnownAttributes.h"
#include "dialects/graph/Ops.h"
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

FailureOr<llvm::APFloat> parseReal(AsmParser &parser) {
  double value = 0;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseFloat(value)))
    return failure();
  if (!std::isfinite(value))
    return coded(parser.emitError(location, "expected a finite number"),
                 Code::BadAttribute);
  return llvm::APFloat(value);
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

static LogicalResult verifyLearningRate(EmitError emitError,
                                        const APFloat &learningRate,
                                        StringRef name) {
  if (isAtLeast(learningRate, 0))
    return success();
  return dtc::coded(emitError(), dtc::Code::BadAttribute)
         << name << ": the learning rate must not be negative";
}

LogicalResult SgdAttr::verify(EmitError emitError, APFloat learningRate) {
  return verifyLearningRate(emitError, learningRate, getMnemonic());
}

LogicalResult MomentumAttr::verify(EmitError emitError, APFloat learningRate,
                                   APFloat momentum) {
  if (failed(verifyLearningRate(emitError, learningRate, getMnemonic())))
    return failure();
  if (isAtLeast(momentum, 0))
    return success();
  return dtc::coded(emitError(), dtc::Code::BadAttribute)
         << "momentum: momentum must not be negative";
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
