// ReferenceBody: a kernel's body, ready for the reference kernels. What the
// target `reference` executes.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/kernels/ReferenceKernels.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

/// Immutable; any thread may run it.
class ReferenceBody {
public:
  /// `kernel` belongs to a checked plan. UNIMPLEMENTED names an operation that
  /// has no reference kernel, FAILED_PRECONDITION a kernel without a body,
  /// RESOURCE_EXHAUSTED one whose values fit in no memory.
  static Result<ReferenceBody> create(const proto::Kernel &kernel);

  /// `arguments`: pointers to the inputs, then the outputs.
  Status run(void *const *arguments) const;

private:
  struct Value {
    enum Where { Argument, Scratch } where;
    uint64_t offset; // argument number, or byte in the scratch memory
    ElementType element;
    std::vector<int64_t> shape;
    uint64_t bytes;
  };
  struct Node {
    std::string op;
    std::string name;
    std::string location;
    std::vector<uint32_t> operands;
    std::vector<uint32_t> results;
    Attributes attributes;
  };
  TensorRef tensor(uint32_t value, void *const *arguments,
                   std::byte *scratch) const;

  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::vector<std::pair<uint32_t, uint32_t>> copies_; // value → argument
  uint64_t scratchBytes_ = 0;
};

} // namespace dtc
