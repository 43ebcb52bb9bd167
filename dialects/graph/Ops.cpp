#include "dialects/graph/Ops.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace dtc::graph;

static ParseResult parseAttribute(OpAsmParser &parser, Attribute &attribute) {
  return parser.parseAttribute(attribute);
}
static void printAttribute(OpAsmPrinter &printer, Operation *,
                           Attribute attribute) {
  printer << attribute;
}

#include "dialects/graph/Interfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/graph/Ops.cpp.inc"

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   TypeRange feeds) {
  auto type = builder.getFunctionType(feeds, {});
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Region *body = state.addRegion();
  body->emplaceBlock().addArguments(
      feeds, SmallVector<Location>(feeds.size(), state.location));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult FuncOp::verify() { return success(); }
LogicalResult FuncOp::verifyRegions() { return success(); }
LogicalResult VariableOp::verify() { return success(); }
LogicalResult InputOp::verify() { return success(); }
LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &) {
  return success();
}
LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &) {
  return success();
}
LogicalResult OutputOp::verify() { return success(); }
LogicalResult MinimizeOp::verify() { return success(); }
LogicalResult MinimizeOp::verifySymbolUses(SymbolTableCollection &) {
  return success();
}
LogicalResult CastOp::verify() { return success(); }
LogicalResult ReshapeOp::verify() { return success(); }
LogicalResult BroadcastToOp::verify() { return success(); }
LogicalResult SoftmaxOp::verify() { return success(); }
