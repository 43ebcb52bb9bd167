// SplitEntry: what an entry point does with split variables, done with their
// parts.
#pragma once

#include "passes/dist/PartBuilder.h"

namespace dtc::dist {

/// Rewrites `func`, so that it reads and assigns parts only:
/// * A look-up (graph.gather of rows) asks every part, and takes each row from
///   the one that has it.
/// * An update is followed from its assignment upwards, through element-wise
///   ops and scattered rows, and done once for each part; a gradient is cut
///   where it enters.
/// * Whatever else needs the whole value gets the parts joined.
/// No number changes: nothing is added that was not added before.
/// `variables` are those of the module, whole.
void splitEntry(graph::FuncOp func, const Variables &variables,
                const SplitTable &splits);

} // namespace dtc::dist
