// Accumulator: where a value from every replica becomes one, their mean or all
// of their rows. The result does not depend on who came first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/device/Device.h"
#include "runtime/plan/TensorType.h"

namespace dtc {

/// One value a replica and step. Thread-safe.
class Accumulator {
public:
  /// How many values become one.
  enum Combine { Mean, Concat };

  /// RESOURCE_EXHAUSTED when `device` has no room for a value a replica.
  static Result<std::unique_ptr<Accumulator>>
  create(std::string name, TensorType type, uint32_t replicas, Device &device);

  /// Keeps a copy of the replica's value for `step`. ALREADY_EXISTS when it
  /// gave one; FAILED_PRECONDITION while another step's values are kept.
  Status accept(uint32_t replica, uint64_t step,
                std::span<const std::byte> value);
  /// Combines the step's values and forgets them. FAILED_PRECONDITION names a
  /// replica that is missing.
  ///
  /// Mean, of a float type: summed in replica order, starting with replica 0's,
  /// then divided by their number, and only then rounded to the type (f16 and
  /// bf16 are summed as f32). Concat: one behind the other, in replica order.
  Status take(uint64_t step, std::span<std::byte> result, Combine combine);

  const TensorType &type() const { return type_; }

private:
  Accumulator() = default;
  Status mean(std::span<std::byte> result) const;
  void concat(std::span<std::byte> result) const;

  std::string name_;
  TensorType type_;
  std::mutex mutex_; // guards all below; values_ while they are copied
  std::vector<Buffer> values_; // by replica
  std::vector<bool> given_;
  uint32_t count_ = 0; // of the given
  uint64_t step_ = 0;  // that the given values belong to
};

} // namespace dtc
