// DeviceSpec: what "/job:worker/task:1/device:CPU:0" asks for. TensorFlow's
// grammar and merge rules (D1, D2). Plain C++: no IR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dtc::dist {

/// A part that is missing, or `*` in the text, matches anything.
struct DeviceSpec {
  std::optional<std::string> job;
  std::optional<int64_t> replica, task;
  std::optional<std::string> type; // "CPU", "GPU": upper case
  std::optional<int64_t> index;

  /// "/job:worker/replica:0/task:1/device:CPU:0" with the parts that are set.
  std::string toString() const;
  bool operator==(const DeviceSpec &) const = default;
};

/// A spec, or else one sentence about what is wrong and what would be right.
struct ParsedDeviceSpec {
  std::optional<DeviceSpec> spec;
  std::string error;
};

/// Parts come in any order, each once. `/cpu:0` and `/gpu:0` are short for
/// `/device:CPU:0` and `/device:GPU:0`; a lower-case `/device:gpu:0` would be
/// another type in TensorFlow, and is refused here.
ParsedDeviceSpec parseDeviceSpec(std::string_view text);

/// True if every part that `general` sets is the same in `special`.
bool isSpecification(const DeviceSpec &general, const DeviceSpec &special);

/// Parts set in one are taken, parts set in both must agree; the error names
/// the first kind that does not ("jobs", "tasks", …). A `soft` merge drops a
/// type (with its index) or an index that disagrees instead.
ParsedDeviceSpec mergeDeviceSpecs(const DeviceSpec &a, const DeviceSpec &b,
                                  bool soft = false);

/// The first kind ("jobs", "replicas", "tasks", "types", "ids") that keeps the
/// two from being merged; "" if they can be.
std::string clashOf(const DeviceSpec &a, const DeviceSpec &b,
                    bool soft = false);

} // namespace dtc::dist
