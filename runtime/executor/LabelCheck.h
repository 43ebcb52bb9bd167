// LabelCheck: the labels that a generated kernel reads, looked at before it
// runs. Generated code has no way to fail, and a label that is no class is an
// error of the data. (Reference kernels look for themselves.)
#pragma once

#include <string>
#include <vector>

#include "runtime/base/ElementType.h"
#include "runtime/base/Status.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

/// Immutable; any thread may run it.
class LabelCheck {
public:
  /// Of nothing.
  LabelCheck() = default;
  /// `kernel` belongs to a checked plan.
  explicit LabelCheck(const proto::Kernel &kernel);

  /// `arguments`: pointers to the inputs first. INVALID_ARGUMENT names the op
  /// and the first label that is not in [0, classes), as its reference kernel
  /// does.
  Status run(void *const *arguments) const;

private:
  /// Labels of one op. Roots and views read inputs and constants only.
  struct Labels {
    std::string where, op;
    uint32_t input;
    std::string constant; // its bytes; then `input` means nothing
    ElementType element;
    int64_t count, classes;
  };
  void add(const proto::Kernel &kernel, const proto::Node &node,
           uint32_t operand, int64_t classes);

  std::vector<Labels> labels_;
};

} // namespace dtc
