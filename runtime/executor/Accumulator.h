// Accumulator: where a value from every replica becomes one, their mean or all
// of their rows, whoever came first; or where each one's waits to be applied by
// itself (update async).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/device/Device.h"
#include "runtime/plan/TensorType.h"

namespace dtc {

/// One value a replica and step. Thread-safe. Either all replicas' values of a
/// step are taken together, or each one's by itself, at its own step.
class Accumulator {
public:
  /// How many values become one.
  enum Combine { Mean, Concat };

  /// RESOURCE_EXHAUSTED when `device` has no room for a value a replica.
  static Result<std::unique_ptr<Accumulator>>
  create(std::string name, TensorType type, uint32_t replicas, Device &device);

  /// Keeps a copy of the replica's value for `step`. ALREADY_EXISTS when it
  /// gave one that was not taken.
  Status accept(uint32_t replica, uint64_t step,
                std::span<const std::byte> value);
  /// Combines the step's values and forgets them. FAILED_PRECONDITION names a
  /// replica whose value of the step is missing.
  ///
  /// Mean, of a float type: summed in replica order, starting with replica 0's,
  /// then divided by their number, and only then rounded to the type (f16 and
  /// bf16 are summed as f32). Concat: one behind the other, in replica order.
  Status take(uint64_t step, std::span<std::byte> result, Combine combine);
  /// Hands out this replica's value of the step and forgets it: its mean, and
  /// all its rows. FAILED_PRECONDITION when it is not there.
  Status takeOne(uint32_t replica, uint64_t step, std::span<std::byte> result);

  const TensorType &type() const { return type_; }

private:
  Accumulator() = default;
  Status expect(uint32_t replica, uint64_t step) const;
  Status mean(std::span<std::byte> result) const;
  void concat(std::span<std::byte> result) const;

  std::string name_;
  TensorType type_;
  std::mutex mutex_; // guards all below; values_ while they are copied
  std::vector<Buffer> values_;                 // by replica
  std::vector<std::optional<uint64_t>> given_; // the step of a value kept
};

} // namespace dtc
