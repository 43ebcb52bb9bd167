// Shards: which variables are split over job ps, along which axis, into how
// many parts (P8).
#pragma once

#include "dialects/dist/Dist.h"
#include "passes/dist/Variables.h"

namespace dtc::dist {

using graph::shardsAttrName;
using graph::strategyAttrName;

/// How one variable is split: `count` is at least 2 and at most the size of the
/// axis.
struct Split {
  int64_t axis, count;
  /// Element i of the axis is element i / count of part i % count ("mod").
  /// Else parts are contiguous ("div").
  bool interleaved;

  bool operator==(const Split &) const = default;

  /// Elements of the axis, which has `size`, in part `index`: the first parts
  /// have one more.
  int64_t sizeOf(int64_t size, int64_t index) const {
    return size / count + (index < size % count);
  }
  /// The first element of contiguous part `index`.
  int64_t startOf(int64_t size, int64_t index) const {
    return index * (size / count) + std::min(index, size % count);
  }
  /// The type of part `index` of `whole`, or of what broadcasts with it.
  mlir::RankedTensorType partOf(mlir::RankedTensorType whole,
                                int64_t index) const;
};

/// How `variable`, which is no slot, is split: as it asks for, or into as many
/// parts as keep each within `maxBytes` (0: any size will do). Nothing if it
/// stays whole. A variable with a task of its own is split only if it asks for
/// it. Fails, with a diagnostic, for a wish that cannot be.
mlir::FailureOr<std::optional<Split>> splitOf(graph::VariableOp variable,
                                              int64_t maxBytes);

/// "table/part_2" for "table"; "table/part_2.momentum" for "table.momentum",
/// whose owner is "table".
std::string partName(llvm::StringRef name, llvm::StringRef owner,
                     int64_t index);

} // namespace dtc::dist
