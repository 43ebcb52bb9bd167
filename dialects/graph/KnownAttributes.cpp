#include "dialects/graph/KnownAttributes.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Dialect.h"
#include "dialects/graph/Ops.h"

using namespace mlir;

namespace dtc::graph {
namespace {

SmallVector<StringRef> knownOn(Operation *op) {
  if (isa<FuncOp>(op))
    return {epochsAttrName};
  if (isa<InputOp>(op))
    return {"device", blockAttrName, blocksAttrName};
  return {"device", updateAttrName, rowsAttrName};
}

bool isKnown(StringRef name, ArrayRef<StringRef> known, MLIRContext *context) {
  if (llvm::is_contained(known, name))
    return true;
  auto [prefix, rest] = name.split('.');
  return !rest.empty() && prefix != GraphDialect::getDialectNamespace() &&
         context->getLoadedDialect(prefix);
}

StringRef nearest(StringRef name, ArrayRef<StringRef> known) {
  constexpr unsigned farthest = 3;
  for (StringRef candidate : known)
    if (name.edit_distance(candidate, true, farthest) < farthest)
      return candidate;
  return "";
}

} // namespace

LogicalResult checkAttributes(Operation *op) {
  if (!isa<GraphDialect>(op->getDialect()))
    return success();
  SmallVector<StringRef> known = knownOn(op);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (isKnown(name, known, op->getContext()))
      continue;
    InFlightDiagnostic diagnostic =
        coded(op->emitError("there is no attribute '"), Code::UnknownAttribute)
        << name << "' on " << op->getName();
    if (StringRef guess = nearest(name, known); !guess.empty())
      return diagnostic << "; did you mean '" << guess << "'?";
    return diagnostic << "; it takes " << llvm::join(known, ", ");
  }
  return success();
}

} // namespace dtc::graph
