#include "dialects/graph/KnownAttributes.h"

#include "dialects/diagnostics/Coded.h"
#include "dialects/graph/Dialect.h"
#include "dialects/graph/Ops.h"
#include "dialects/graph/Wishes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace dtc::graph {
namespace {

// What a person may write.
SmallVector<StringRef> writableOn(Operation *op) {
  if (isa<FuncOp>(op))
    return {epochsAttrName};
  if (isa<VariableOp>(op))
    return {deviceWishName, colocateWishName, shardsAttrName, strategyAttrName};
  return {deviceWishName, colocateWishName};
}

// What the compiler writes between its phases.
SmallVector<StringRef> madeOn(Operation *op) {
  if (isa<FuncOp>(op))
    return {};
  if (isa<InputOp>(op))
    return {blockAttrName, blocksAttrName};
  return {updateAttrName, rowsAttrName};
}

bool isKnown(StringRef name, Operation *op) {
  if (llvm::is_contained(writableOn(op), name) ||
      llvm::is_contained(madeOn(op), name))
    return true;
  auto [prefix, rest] = name.split('.');
  return !rest.empty() && prefix != GraphDialect::getDialectNamespace() &&
         op->getContext()->getLoadedDialect(prefix);
}

bool isNear(StringRef name, StringRef candidate) {
  constexpr unsigned farthest = 3;
  return name.edit_distance_insensitive(candidate, true, farthest) < farthest;
}

// Feeds and results take none.
LogicalResult checkFeeds(FuncOp func) {
  auto refuse = [](Location location, Attribute dictionary,
                   StringRef what) -> LogicalResult {
    for (NamedAttribute attribute : cast<DictionaryAttr>(dictionary))
      return coded(emitError(location, "there is no attribute '"),
                   Code::UnknownAttribute)
             << attribute.getName().getValue() << "' on a " << what
             << "; leave it out";
    return success();
  };
  if (ArrayAttr feeds = func.getArgAttrsAttr())
    for (auto [argument, dictionary] :
         llvm::zip_equal(func.getArguments(), feeds))
      if (failed(refuse(argument.getLoc(), dictionary, "feed")))
        return failure();
  if (ArrayAttr results = func.getResAttrsAttr())
    for (Attribute dictionary : results)
      if (failed(refuse(func.getLoc(), dictionary, "result")))
        return failure();
  return success();
}

} // namespace

LogicalResult checkAttributes(Operation *op) {
  if (!isa<GraphDialect>(op->getDialect()))
    return success();
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (isKnown(name, op))
      continue;
    InFlightDiagnostic diagnostic =
        coded(op->emitError("there is no attribute '"), Code::UnknownAttribute)
        << name << "' on " << op->getName();
    for (StringRef writable : writableOn(op))
      if (isNear(name, writable))
        return diagnostic << "; did you mean '" << writable << "'?";
    return diagnostic << "; it takes " << llvm::join(writableOn(op), ", ");
  }
  if (failed(checkColocate(op)))
    return failure();
  auto func = dyn_cast<FuncOp>(op);
  return func ? checkFeeds(func) : success();
}

bool isWritable(Operation *op, StringRef attribute) {
  if (isa<GraphDialect>(op->getDialect()))
    return llvm::is_contained(writableOn(op), attribute);
  // A module's own notes, and nothing that another phase reads.
  return attribute.split('.').first == GraphDialect::getDialectNamespace();
}

} // namespace dtc::graph
