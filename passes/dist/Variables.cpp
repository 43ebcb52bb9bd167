#include "passes/dist/Variables.h"

using namespace mlir;
using llvm::StringRef;

namespace dtc::dist {

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
