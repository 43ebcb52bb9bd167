// What a person's file may hold, beyond what any phase's text may.
#ifndef DTC_DIALECTS_GRAPH_GRAPHSOURCE_H
#define DTC_DIALECTS_GRAPH_GRAPHSOURCE_H

#include "mlir/IR/BuiltinOps.h"

namespace dtc::graph {

// Only ops of this dialect, also where nothing uses them; no attribute that the
// compiler makes; no entry point that does nothing; nothing that wants to be
// with what there is not. Reports all mistakes. Texts
// of later phases, and what dtc-opt reads, need not pass.
mlir::LogicalResult checkSource(mlir::ModuleOp module);

} // namespace dtc::graph

#endif // DTC_DIALECTS_GRAPH_GRAPHSOURCE_H
