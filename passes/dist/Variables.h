// Variables: a module's variables by name. A pass makes one table and hands it
// down: a search through the module for each read would take quadratic time.
#pragma once

#include "dialects/graph/Ops.h"
#include "dialects/graph/Wishes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace dtc::dist {

class Variables {
public:
  /// Of `module`, as it is now: variables that are added later are not known.
  explicit Variables(mlir::ModuleOp module);

  /// The variable of that name. It exists: the graph dialect verifies that.
  graph::VariableOp operator[](llvm::StringRef name) const;
  /// As above, or null.
  graph::VariableOp find(llvm::StringRef name) const {
    return byName_.lookup(name);
  }
  /// The variable that `variable` must sit with: for "w1.momentum", a slot, it
  /// is "w1"; else itself.
  graph::VariableOp ownerOf(graph::VariableOp variable) const;

private:
  llvm::StringMap<graph::VariableOp> byName_; // looked up only
};

} // namespace dtc::dist
