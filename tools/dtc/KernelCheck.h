// KernelCheck: generated kernels against their reference kernels, on the very
// inputs of a run.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/base/ThreadPool.h"
#include "runtime/executor/ReferenceBody.h"
#include "runtime/executor/TaskContext.h"
#include "runtime/plan/Plan.h"

namespace dtc::tool {

class KernelCheck {
public:
  /// Largest error of an output element, relative to the output's largest
  /// element.
  static constexpr double tolerance = 2e-5;

  static Result<std::unique_ptr<KernelCheck>> create(Plan::Ptr plan);

  /// Thread-safe.
  void check(const KernelRun &run);

  /// How many different kernels were checked.
  size_t checked() const { return seen_.size(); }
  /// The first that was wrong: which output, which element, both values. ""
  /// when none was.
  const std::string &difference() const { return difference_; }

private:
  std::string compare(uint32_t kernel, void *const *arguments);

  Plan::Ptr plan_;
  std::vector<ReferenceBody> bodies_;
  std::mutex mutex_; // guards all below
  std::map<uint32_t, size_t> seen_;
  std::string difference_;
};

} // namespace dtc::tool
