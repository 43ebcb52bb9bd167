// KernelTable: a plan's kernels as functions of this machine.
#pragma once

#include <memory>
#include <string>

#include "runtime/base/Status.h"
#include "runtime/base/ThreadPool.h"
#include "runtime/plan/Plan.h"

namespace dtc {

/// Immutable; any thread may run its kernels.
class KernelTable {
public:
  using Ptr = std::shared_ptr<const KernelTable>;

  /// Loads the plan's first code object that this CPU can execute, or the one
  /// for `target` when it is not empty. The object comes from the plan's bytes
  /// in memory, never from a path. Errors: FAILED_PRECONDITION naming the CPU
  /// feature that is missing, NOT_FOUND for a target that the plan does not
  /// have, DATA_LOSS for an object that lacks a kernel.
  static Result<Ptr> create(Plan::Ptr plan, const std::string &target = "");
  ~KernelTable();

  const std::string &target() const { return target_; }
  /// Runs kernel `kernel` on `arguments` (inputs, then outputs; aligned to 64
  /// bytes), spread over `pool`. Errors come
  /// from reference kernels, and from labels that are no class.
  Status run(uint32_t kernel, void *const *arguments, ThreadPool &pool) const;
  /// Is the kernel worth a thread of its own?
  bool isHeavy(uint32_t kernel) const;

private:
  KernelTable() = default;
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string target_;
};

/// Does this CPU have the feature, as LLVM spells it ("avx512f")? A name that
/// is not known counts as missing.
bool cpuHasFeature(const std::string &feature);

} // namespace dtc
