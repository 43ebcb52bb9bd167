// What a module says was decided about its cluster.
#pragma once

#include <string>

#include "mlir/IR/BuiltinOps.h"

namespace dtc::tool {

struct Decided {
  std::string cluster; // "ps=1,worker=2"
  std::string mode;    // "between-graph"
  std::string update;  // "sync"
};

/// Of a module of phase `place` or later; empty strings where it does not say.
Decided decidedOf(mlir::ModuleOp module);

} // namespace dtc::tool
