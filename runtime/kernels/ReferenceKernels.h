// Reference kernels: every graph operation in plain C++, one obvious loop
// each. They are what the target `reference` executes and what generated
// kernels are checked against.
//
// Numbers (README.md): the orders of DESIGN §7. A matmul accumulates by FMA
// over the inner dimension; every other reduction follows the canonical tree;
// f16 and bf16 are computed in f32 and rounded once an operation. Bits agree
// with generated kernels but through exp and log, which are the C library's
// here.
//
// Pure functions without state: any thread may call them.
#pragma once

#include "runtime/base/ElementType.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace dtc {

/// A dense row-major tensor in memory that somebody else owns. `data` is
/// aligned to the element; it may be null when the shape has no elements.
struct TensorRef {
  ElementType element;
  std::vector<int64_t> shape;
  std::byte *data;
};

using AttributeValue =
    std::variant<int64_t, double, bool, std::string, std::vector<int64_t>,
                 std::vector<std::byte>>;
/// By the names that the graph dialect gives them ("transpose_a", "axes").
using Attributes = std::map<std::string, AttributeValue>;

/// Whether `op` ("graph.matmul") has a kernel.
bool hasReferenceKernel(const std::string &op);

/// Computes `results` from `operands`. Results may not overlap operands.
/// INVALID_ARGUMENT names the operation and what does not fit (types, shapes,
/// attributes); nothing is read or written out of bounds whatever the
/// arguments say. UNIMPLEMENTED: no such operation.
Status runReferenceKernel(const std::string &op,
                          std::span<const TensorRef> operands,
                          std::span<const TensorRef> results,
                          const Attributes &attributes);

} // namespace dtc
