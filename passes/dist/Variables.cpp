#include "passes/dist/Variables.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

int64_t sizeBytes(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

Variables::Variables(ModuleOp module) {
  for (auto variable : module.getOps<graph::VariableOp>())
    byName_[variable.getSymName()] = variable;
}

graph::VariableOp Variables::operator[](StringRef name) const {
  graph::VariableOp variable = find(name);
  assert(variable && "the graph dialect verifies symbols");
  return variable;
}

graph::VariableOp Variables::ownerOf(graph::VariableOp variable) const {
  if (!variable.getSlot())
    return variable;
  graph::VariableOp owner = find(variable.getSymName().rsplit('.').first);
  return owner ? owner : variable;
}

} // namespace dtc::dist
