// The edges and the aggregation ops: their text and their rules.
#include "dialects/dist/AsmParts.h"
#include "dialects/dist/EdgeKey.h"
#include "dialects/dist/Resolve.h"

#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/dist/Ops.cpp.inc"

namespace dtc::dist {

//===----------------------------------------------------------------------===//
// transfer
//===----------------------------------------------------------------------===//

void TransferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(),
          placedName(getResult().getType().getDevice(), getValueName()));
}

/// Only f32 that leaves its task may be narrowed, and only to bf16 (G7).
static LogicalResult verifyWire(Operation *op, std::optional<Type> wire,
                                RankedTensorType tensor, DeviceAttr from,
                                DeviceAttr to) {
  if (!wire)
    return success();
  if (!wire->isBF16())
    return op->emitOpError("crosses as ") << *wire << "; only bf16 is possible";
  if (!tensor.getElementType().isF32())
    return op->emitOpError("crosses as bf16, but is ")
           << tensor << "; only f32 is narrowed";
  if (from.taskString() == to.taskString())
    return op->emitOpError("crosses as bf16, but stays on ")
           << from.taskString() << "; nothing is rounded within a task";
  return success();
}

LogicalResult TransferOp::verify() {
  PlacedType from = getValue().getType(), to = getResult().getType();
  if (from.getTensor() != to.getTensor())
    return emitOpError("moves \"")
           << getValueName() << "\" as " << to.getTensor() << ", but it is "
           << from.getTensor();
  if (from.getDevice() == to.getDevice())
    return emitOpError("moves \"")
           << getValueName() << "\" to the device that it is on, "
           << to.getDevice().toString();
  return verifyWire(*this, getWire(), from.getTensor(), from.getDevice(),
                    to.getDevice());
}

//===----------------------------------------------------------------------===//
// send
//===----------------------------------------------------------------------===//

/// Resolves the value that a send names; on failure names the edge.
static ParseResult resolveSent(OpAsmParser &parser,
                               const OpAsmParser::UnresolvedOperand &operand,
                               StringRef key, Type type,
                               OperationState &state) {
  ResolvedOperand resolved = resolveOperand(parser, operand, type);
  if (resolved.kind == ResolvedOperand::Found) {
    state.operands.push_back(resolved.value);
    return success();
  }
  InFlightDiagnostic error = parser.emitError(operand.location)
                             << "edge '" << key << "' ";
  if (resolved.kind == ResolvedOperand::NotDefined)
    return error << "sends " << operand.name << ", which nothing above defines";
  if (resolved.kind == ResolvedOperand::Invalid)
    return error << "is wrong: " << resolved.message;
  error << "changes its type: dist.send sends " << type << ", but "
        << operand.name << " is " << resolved.actual;
  if (resolved.definition)
    error.attachNote(*resolved.definition) << "defined here";
  return error;
}

ParseResult SendOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand value;
  std::string key, reason;
  DeviceAttr to;
  Type type;
  TypeAttr wire;
  auto parseWire = [&]() -> ParseResult {
    Type narrow;
    if (failed(parser.parseOptionalKeyword("wire")))
      return success();
    if (parser.parseType(narrow))
      return failure();
    wire = TypeAttr::get(narrow);
    return success();
  };
  if (parser.parseOperand(value) || parser.parseKeyword("key") ||
      parser.parseString(&key) || parser.parseKeyword("to") ||
      parseDeviceInAngles(parser, to) || parser.parseKeyword("reason") ||
      parser.parseString(&reason) || parseWire() ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      resolveSent(parser, value, key, type, state))
    return failure();
  auto &properties = state.getOrAddProperties<Properties>();
  properties.key = parser.getBuilder().getStringAttr(key);
  properties.reason = parser.getBuilder().getStringAttr(reason);
  properties.to = to;
  properties.wire = wire;
  return success();
}

void SendOp::print(OpAsmPrinter &p) {
  p << ' ' << getValue() << " key ";
  p.printString(getKey());
  p << " to <" << getTo().toString() << "> reason ";
  p.printString(getReason());
  if (getWire())
    p << " wire " << *getWire();
  p.printOptionalAttrDict((*this)->getAttrs(), {"key", "to", "reason", "wire"});
  p << " : " << getValue().getType();
}

template <typename Op>
static LogicalResult verifyEnd(Op op, DeviceAttr peer) {
  if (!EdgeKey::parse(op.getKey()))
    return op.emitOpError("has the key '")
           << op.getKey()
           << "'; a key reads '<name>:<slot> <source task>-><target task>'";
  if (op.getDevice() == peer)
    return op.emitOpError("of edge '")
           << op.getKey() << "' has its own device as peer, "
           << peer.toString();
  return verifyWire(op, op.getWire(), op.getTensor(), op.getDevice(), peer);
}

LogicalResult SendOp::verify() { return verifyEnd(*this, getTo()); }

//===----------------------------------------------------------------------===//
// recv
//===----------------------------------------------------------------------===//

void RecvOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (std::optional<EdgeKey> key = EdgeKey::parse(getKey()))
    setName(getResult(), placedName(getDevice(), key->name));
}

LogicalResult RecvOp::verify() { return verifyEnd(*this, getFrom()); }

//===----------------------------------------------------------------------===//
// take
//===----------------------------------------------------------------------===//

void TakeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (auto name = getLoc()->findInstanceOf<NameLoc>())
    setName(getResult(), name.getName());
}

} // namespace dtc::dist
