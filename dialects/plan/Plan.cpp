#include "dialects/plan/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace dtc::plan;

//===----------------------------------------------------------------------===//
// Custom syntax
//===----------------------------------------------------------------------===//

/// A double whose text gives back the same bits.
static ParseResult parseDouble(AsmParser &parser, FailureOr<APFloat> &value) {
  double parsed = 0;
  if (parser.parseFloat(parsed))
    return failure();
  value = APFloat(parsed);
  return success();
}
static void printDouble(AsmPrinter &printer, const APFloat &value) {
  printer.printFloat(value);
}

/// `(%a: tensor<…>, …) { … }`: a region whose entry block is in the syntax.
static ParseResult parseKernelBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments,
                                          OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true) ||
                 parser.parseRegion(body, arguments));
}
static void printKernelBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << '(';
  llvm::interleaveComma(
      body.getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

/// `step`, `serve` or `apply`, bare.
static ParseResult parseKind(OpAsmParser &parser, ActivationKindAttr &kind) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<ActivationKind> value = symbolizeActivationKind(word);
  if (!value)
    return parser.emitError(loc)
           << "expected step, serve or apply, not '" << word << "'";
  kind = ActivationKindAttr::get(parser.getContext(), *value);
  return success();
}
static void printKind(OpAsmPrinter &printer, Operation *,
                      ActivationKindAttr kind) {
  printer << stringifyActivationKind(kind.getValue());
}

#include "dialects/plan/Dialect.cpp.inc"
#include "dialects/plan/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/plan/Attributes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/plan/Ops.cpp.inc"

void PlanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/plan/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/plan/Ops.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

SmallVector<DecisionAttr> dtc::plan::decisionsOf(Operation *instruction) {
  SmallVector<DecisionAttr> decisions;
  if (auto list = instruction->getAttrOfType<ArrayAttr>(decisionsAttrName))
    for (auto decision : list.getAsRange<DecisionAttr>())
      decisions.push_back(decision);
  return decisions;
}

void dtc::plan::setDecisions(Operation *instruction,
                             ArrayRef<DecisionAttr> decisions) {
  if (decisions.empty()) {
    instruction->removeAttr(decisionsAttrName);
    return;
  }
  SmallVector<Attribute> list(decisions.begin(), decisions.end());
  instruction->setAttr(decisionsAttrName,
                       ArrayAttr::get(instruction->getContext(), list));
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == decisionsAttrName) {
    auto list = dyn_cast<ArrayAttr>(attribute.getValue());
    auto isDecision = [](Attribute one) { return isa<DecisionAttr>(one); };
    if (!list || !llvm::all_of(list, isDecision))
      return op->emitOpError("has ")
             << decisionsAttrName << " that are no list of #plan.decision";
  }
  if (attribute.getName() == dtc::plan::reasonAttrName &&
      !isa<StringAttr>(attribute.getValue()))
    return op->emitOpError("has a ")
           << dtc::plan::reasonAttrName << " that is no string";
  return success();
}

//===----------------------------------------------------------------------===//
// TaskAttr
//===----------------------------------------------------------------------===//

std::string TaskAttr::toString() const {
  return getJob().str() + ":" +
         (isTemplate() ? "*" : std::to_string(getIndex()));
}

Attribute TaskAttr::parse(AsmParser &parser, Type) {
  std::string job;
  int32_t index = -1;
  if (parser.parseLess() || parser.parseKeywordOrString(&job) ||
      parser.parseColon())
    return {};
  if (failed(parser.parseOptionalStar()) && parser.parseInteger(index))
    return {};
  if (parser.parseGreater())
    return {};
  return TaskAttr::get(parser.getContext(), job, index);
}

void TaskAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getJob());
  printer << ':';
  isTemplate() ? printer << '*' : printer << getIndex();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

TypeRange KernelOp::getResultTypes() {
  return getBody().front().getTerminator()->getOperandTypes();
}

LogicalResult KernelOp::verify() {
  if (getRange() < 1 || getGrain() < 1)
    return emitOpError("has range ")
           << getRange() << " and grain " << getGrain()
           << "; both must be at least 1";
  Block &block = getBody().front();
  if (block.empty() || !isa<YieldOp>(block.back()))
    return emitOpError("must end with plan.yield");
  return success();
}

LogicalResult EntryOp::verify() {
  if (getReplicas() < 1)
    return emitOpError("has ")
           << getReplicas() << " replicas; at least 1 is needed";
  return success();
}
