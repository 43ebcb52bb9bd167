// dist.partition: its text and its rules.
#include "dialects/dist/AsmParts.h"
#include "dialects/dist/EdgeKey.h"
#include "dialects/dist/Resolve.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace mlir;

namespace dtc::dist {

static std::string edgeText(StringRef name, int64_t slot, DeviceAttr from,
                            DeviceAttr to) {
  EdgeKey key{name.str(), slot, from.taskString(), to.taskString()};
  return key.toString();
}

StringRef PartitionOp::operandName(unsigned index) {
  return cast<StringAttr>(getOperandNames()[index]).getValue();
}

StringRef PartitionOp::resultName(unsigned index) {
  return cast<StringAttr>(getResultNames()[index]).getValue();
}

DeviceAttr PartitionOp::source(unsigned index) {
  return dyn_cast<DeviceAttr>(getSources()[index]);
}

std::string PartitionOp::edgeOf(unsigned index) {
  DeviceAttr from = source(index);
  if (!from || from == getDevice())
    return "";
  return edgeText(operandName(index), getSlots()[index], from, getDevice());
}

void PartitionOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (auto [result, name] : zip_equal(getOutputs(), getResultNames()))
    setName(result, placedName(getDevice(), cast<StringAttr>(name).getValue()));
}

void PartitionOp::getAsmBlockArgumentNames(Region &body,
                                           OpAsmSetValueNameFn setName) {
  for (auto [argument, name] :
       zip_equal(body.getArguments(), getOperandNames()))
    setName(argument, cast<StringAttr>(name).getValue());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// `"w1" = %worker.w1 as %w1 : tensor<64x64xf32> from <ps:0/cpu:0>`
struct ParsedInput {
  SMLoc where;
  std::string name;
  OpAsmParser::UnresolvedOperand outer;
  OpAsmParser::Argument inner;
  DeviceAttr source; // null: a feed
  int64_t slot = 0;
};
} // namespace

static ParseResult parseInput(OpAsmParser &parser, DeviceAttr device,
                              ParsedInput &input) {
  input.where = parser.getCurrentLocation();
  if (parser.parseString(&input.name) || parser.parseEqual() ||
      parser.parseOperand(input.outer) || parser.parseKeyword("as") ||
      parser.parseArgument(input.inner, /*allowType=*/true))
    return failure();
  if (!isa<RankedTensorType>(input.inner.type))
    return parser.emitError(input.where, "operand \"")
           << input.name << "\" is a ranked tensor inside a partition, not "
           << input.inner.type;
  if (succeeded(parser.parseOptionalKeyword("feed")))
    return success();
  input.source = device;
  if (succeeded(parser.parseOptionalKeyword("from")) &&
      failed(parseDeviceInAngles(parser, input.source)))
    return failure();
  return failure(succeeded(parser.parseOptionalKeyword("slot")) &&
                 failed(parser.parseInteger(input.slot)));
}

static Type outerType(const ParsedInput &input, DeviceAttr device) {
  auto tensor = cast<RankedTensorType>(input.inner.type);
  return input.source ? PlacedType::get(tensor.getContext(), tensor, device)
                      : Type(tensor);
}

static InFlightDiagnostic inputError(OpAsmParser &parser, DeviceAttr device,
                                     const ParsedInput &input) {
  InFlightDiagnostic error = parser.emitError(input.outer.location);
  if (input.source && input.source != device)
    return std::move(error)
           << "edge '" << edgeText(input.name, input.slot, input.source, device)
           << "' ";
  return std::move(error) << "operand \"" << input.name << "\" ";
}

/// Turns `input` into an operand of `state`; on failure names the edge.
static ParseResult resolveInput(OpAsmParser &parser, DeviceAttr device,
                                const ParsedInput &input,
                                OperationState &state) {
  Type type = outerType(input, device);
  ResolvedOperand resolved = resolveOperand(parser, input.outer, type);
  switch (resolved.kind) {
  case ResolvedOperand::Found:
    state.operands.push_back(resolved.value);
    return success();
  case ResolvedOperand::NotDefined:
    return inputError(parser, device, input)
           << "has no dist.recv: nothing above defines " << input.outer.name
           << ", which the partition on " << device.toString() << " takes";
  case ResolvedOperand::OtherType: {
    InFlightDiagnostic error = inputError(parser, device, input)
                               << "changes its type: the partition on "
                               << device.toString() << " takes " << type
                               << ", but " << input.outer.name << " is "
                               << resolved.actual;
    if (resolved.definition)
      error.attachNote(*resolved.definition) << "defined here";
    return error;
  }
  case ResolvedOperand::Invalid:
    return inputError(parser, device, input)
           << "is wrong: " << resolved.message;
  }
  llvm_unreachable("all kinds are handled");
}

static ParseResult parseOutputs(OpAsmParser &parser, DeviceAttr device,
                                OperationState &state,
                                SmallVectorImpl<Attribute> &names) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        std::string name;
        Type type;
        SMLoc where = parser.getCurrentLocation();
        if (parser.parseString(&name) || parser.parseColonType(type))
          return failure();
        auto tensor = dyn_cast<RankedTensorType>(type);
        if (!tensor)
          return parser.emitError(where, "result \"")
                 << name << "\" is a ranked tensor, not " << type;
        names.push_back(StringAttr::get(parser.getContext(), name));
        state.addTypes(PlacedType::get(parser.getContext(), tensor, device));
        return success();
      });
}

/// Stores what the list of inputs says beyond the operands themselves.
static void addInputAttributes(Builder builder, ArrayRef<ParsedInput> inputs,
                               PartitionOp::Properties &properties) {
  SmallVector<Attribute> names, sources;
  SmallVector<int64_t> slots;
  for (const ParsedInput &input : inputs) {
    names.push_back(builder.getStringAttr(input.name));
    sources.push_back(input.source ? Attribute(input.source)
                                   : builder.getUnitAttr());
    slots.push_back(input.slot);
  }
  properties.operandNames = builder.getArrayAttr(names);
  properties.sources = builder.getArrayAttr(sources);
  properties.slots = builder.getDenseI64ArrayAttr(slots);
}

ParseResult PartitionOp::parse(OpAsmParser &parser, OperationState &state) {
  DeviceAttr device;
  ActivationAttr activation;
  SmallVector<ParsedInput> inputs;
  SmallVector<Attribute> resultNames;
  if (parser.parseKeyword("on") || parseDeviceInAngles(parser, device) ||
      parseBareActivation(parser, activation) ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::OptionalParen,
          [&] { return parseInput(parser, device, inputs.emplace_back()); }) ||
      parseOutputs(parser, device, state, resultNames) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  // Before the body, where a wrong type would be found next, far from the edge.
  SmallVector<OpAsmParser::Argument> arguments;
  for (const ParsedInput &input : inputs) {
    if (resolveInput(parser, device, input, state))
      return failure();
    arguments.push_back(input.inner);
  }
  auto &properties = state.getOrAddProperties<Properties>();
  properties.device = device;
  properties.activation = activation;
  properties.resultNames = parser.getBuilder().getArrayAttr(resultNames);
  addInputAttributes(parser.getBuilder(), inputs, properties);
  if (succeeded(parser.parseRegion(*state.addRegion(), arguments)))
    return success();
  // MLIR has said what is wrong inside; say which edges that concerns.
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc())
                             << "is wrong inside, on " << device.toString();
  for (const ParsedInput &input : inputs)
    if (input.source && input.source != device)
      error.attachNote() << "it takes edge '"
                         << edgeText(input.name, input.slot, input.source,
                                     device)
                         << "'";
  for (Attribute name : resultNames)
    error.attachNote() << "it gives " << name;
  return error;
}

/// Prints a list in parentheses: short ones in the line, others an entry each.
static void printEntries(OpAsmPrinter &p, unsigned count,
                         llvm::function_ref<void(unsigned)> printEntry) {
  p << '(';
  p.increaseIndent();
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0)
      p << ',';
    if (count > 1)
      p.printNewline();
    printEntry(i);
  }
  p.decreaseIndent();
  p << ')';
}

void PartitionOp::print(OpAsmPrinter &p) {
  p << " on ";
  printDeviceInAngles(p, getDevice());
  p << ' ' << stringifyActivation(getActivation());
  p.increaseIndent();
  if (!getInputs().empty()) {
    p.printNewline();
    printEntries(p, getInputs().size(), [&](unsigned i) {
      p.printString(operandName(i));
      p << " = " << getInputs()[i] << " as ";
      p.printRegionArgument(getBlock()->getArgument(i));
      if (DeviceAttr from = source(i); !from)
        p << " feed";
      else if (from != getDevice())
        p << " from <" << from.toString() << '>';
      if (getSlots()[i])
        p << " slot " << getSlots()[i];
    });
  }
  if (!getOutputs().empty()) {
    p.printNewline();
    p << "-> ";
    printEntries(p, getOutputs().size(), [&](unsigned i) {
      p.printString(resultName(i));
      p << " : " << cast<PlacedType>(getOutputs()[i].getType()).getTensor();
    });
  }
  p.decreaseIndent();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {"device", "activation", "operandNames",
                                      "sources", "slots", "resultNames"});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static LogicalResult verifyOperand(PartitionOp op, unsigned index) {
  Value operand = op.getInputs()[index];
  Type inside = op.getBlock()->getArgument(index).getType();
  if (!op.source(index)) {
    if (!isa<BlockArgument>(operand) || operand.getType() != inside)
      return op.emitOpError("takes feed \"")
             << op.operandName(index)
             << "\", which must be an argument of the function of type "
             << inside;
    return success();
  }
  auto placed = dyn_cast<PlacedType>(operand.getType());
  if (!placed)
    return op.emitOpError("takes \"")
           << op.operandName(index)
           << "\", which is on no device: " << operand.getType();
  if (placed.getDevice() != op.getDevice())
    return op.emitOpError("runs on ")
           << op.getDevice().toString() << ", but its operand \""
           << op.operandName(index) << "\" is on "
           << placed.getDevice().toString() << "; a dist.transfer must move it";
  if (placed.getTensor() != inside)
    return op.emitOpError("takes \"")
           << op.operandName(index) << "\" as " << inside << ", but it is "
           << placed.getTensor();
  return success();
}

LogicalResult PartitionOp::verify() {
  unsigned inputs = getInputs().size();
  if (getOperandNames().size() != inputs || getSources().size() != inputs ||
      getSlots().size() != inputs || getBlock()->getNumArguments() != inputs)
    return emitOpError("has ")
           << inputs << " operands; it needs as many names, sources, slots "
           << "and block arguments";
  if (getResultNames().size() != getOutputs().size())
    return emitOpError("has ") << getOutputs().size() << " results, but "
                               << getResultNames().size() << " names for them";
  for (unsigned i = 0; i < inputs; ++i)
    if (failed(verifyOperand(*this, i)))
      return failure();
  llvm::StringSet<> names;
  for (auto [i, result] : enumerate(getOutputs())) {
    if (!names.insert(resultName(i)).second)
      return emitOpError("gives \"") << resultName(i) << "\" twice";
    DeviceAttr device = cast<PlacedType>(result.getType()).getDevice();
    if (device != getDevice())
      return emitOpError("runs on ")
             << getDevice().toString() << ", but gives \"" << resultName(i)
             << "\" on " << device.toString();
  }
  return success();
}

LogicalResult PartitionOp::verifyRegions() {
  auto yield = dyn_cast_or_null<YieldOp>(
      getBlock()->empty() ? nullptr : &getBlock()->back());
  if (!yield)
    return emitOpError("must end with dist.yield");
  if (yield.getValues().size() != getOutputs().size())
    return yield.emitOpError("yields ")
           << yield.getValues().size() << " values, but the partition gives "
           << getOutputs().size();
  for (auto [i, value] : enumerate(yield.getValues())) {
    Type expected = cast<PlacedType>(getOutputs()[i].getType()).getTensor();
    if (value.getType() != expected)
      return yield.emitOpError("yields ")
             << value.getType() << " for \"" << resultName(i)
             << "\", but the partition gives " << expected;
  }
  return success();
}

} // namespace dtc::dist
