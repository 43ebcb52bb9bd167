// TensorType: a plan's tensor type with its sizes, computed once and checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/ElementType.h"
#include "runtime/base/Status.h"
#include "runtime/plan/plan.pb.h"

namespace dtc {

struct TensorType {
  ElementType element = ElementType::F32;
  std::vector<int64_t> shape;
  uint64_t elements = 1;
  uint64_t bytes = 0;

  /// Checks element type, dimensions and that the size fits. Errors say what
  /// is wrong with the type; the caller says where it stands.
  static Result<TensorType> create(const proto::TensorType &type);

  /// As a graph file spells it: "tensor<32x64xf32>".
  std::string toString() const;
  friend bool operator==(const TensorType &, const TensorType &) = default;
};

inline std::ostream &operator<<(std::ostream &out, const TensorType &type) {
  return out << type.toString();
}

/// a * b, or nothing when it does not fit.
inline bool checkedMul(uint64_t a, uint64_t b, uint64_t &product) {
  return !__builtin_mul_overflow(a, b, &product);
}

} // namespace dtc
