// The oracle of `dtc verify`: the graph that a plan was made of, on one device,
// with as many blocks a step as the plan has replicas; or, of a plan with
// update async, one block a step: each push is a step, in the order of a
// replay.
//
// It shares the front of the compiler and the kernels with the plan, and none
// of what it checks: no partitions, no sends, no accumulators. Blocks are
// clones in the graph itself, combined by graph.replica_mean.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "runtime/plan/Plan.h"
#include "tools/dtc/Compiler.h"

namespace dtc::tool {

/// The fetch of the oracle that shows value `name` as replica `replica` has it.
std::string watchName(const std::string &name, uint32_t replica);
bool isWatchName(const std::string &name);

/// Makes every value called `names[i]`, or a clone of it for another block, an
/// output under its watchName(). `module` is of phase `place`.
void addWatches(mlir::ModuleOp module, const std::vector<std::string> &names);

/// Blocks that a step of the entry computes, over all replicas.
int64_t blocksPerStep(const proto::Entry &entry);

/// How many of the oracle's steps are one of the plan's: update async, the
/// pushes of its replicas.
int64_t oracleSteps(const Plan &plan, const proto::Entry &entry);

/// What makes the oracle of one entry of `plan` of the plan's graph.
CompileOptions oracleOptions(const Plan &plan, const proto::Entry &entry);

/// Compiles the oracle of one entry of `plan`. Diagnostics go to stderr.
mlir::FailureOr<Plan::Ptr> compileOracle(const Plan &plan,
                                         const proto::Entry &entry);

} // namespace dtc::tool
