// Which ops of an activation one kernel will compute.
#pragma once

#include <vector>

#include "dialects/plan/Plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace dtc::plan {

/// Ops of one kernel, in order. Constants are no members: each kernel has its
/// own copies of those that it reads.
using KernelGroup = llvm::SmallVector<mlir::Operation *>;

/// Decides the groups of a module's activations; changes nothing.
class KernelGrouper {
public:
  /// With `fuses` false each op is a group of its own.
  KernelGrouper(mlir::ModuleOp module, bool fuses);

  /// In the order of the first ops. Every operand that comes from outside a
  /// group is defined before that op, so that the launch can stand there.
  std::vector<KernelGroup> group(ActivationOp activation);

private:
  struct Growing;
  struct Place;
  class Activation;

  const bool fuses_;
  llvm::StringSet<> computed_; // edges whose value a step computes
};

} // namespace dtc::plan
