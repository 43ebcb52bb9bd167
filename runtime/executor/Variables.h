// Variables: the state that one task holds for the whole job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/Status.h"
#include "runtime/base/TaskId.h"
#include "runtime/device/Device.h"

namespace dtc {

class Plan;

/// Storage for the plan's variables whose home is this task, by the plan's
/// index. Not locked: within a step the plan orders reads and writes, and
/// between steps the server does.
class Variables {
public:
  /// Reserves storage on `device`, which must outlive it. RESOURCE_EXHAUSTED
  /// names the variable.
  static Result<std::unique_ptr<Variables>>
  create(std::shared_ptr<const Plan> plan, const TaskId &self, Device &device);

  bool holds(uint32_t variable) const;
  bool isInitialized(uint32_t variable) const;
  /// The variable's bytes, aligned to 64; the task must hold it.
  std::span<std::byte> bytes(uint32_t variable);

  /// Gives each variable that has no value its first one (see initialValue).
  /// Never touches one that has.
  void initialize(uint64_t seed, double spread = 0);
  /// Gives a variable a value. INVALID_ARGUMENT for another size, NOT_FOUND
  /// for a variable that lives elsewhere; both name it.
  Status set(uint32_t variable, std::span<const std::byte> value);

private:
  Variables() = default;
  struct Slot {
    Buffer buffer;
    bool isHere = false;
    bool isInitialized = false;
  };
  std::shared_ptr<const Plan> plan_;
  std::vector<Slot> slots_;
};

} // namespace dtc
