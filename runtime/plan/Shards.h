// Shards: variables as the graph declares them, of which a plan may hold parts
// (P8): which parts there are, and where their elements lie in the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"

namespace dtc {

/// A variable of the graph.
struct WholeVariable {
  std::string name;
  TensorType type;
  /// The plan's variables that hold it, in the order of the parts: one, or all
  /// parts of a split variable.
  std::vector<uint32_t> parts;
};

/// All of them, in the order of their names.
std::vector<WholeVariable> wholeVariables(const Plan &plan);

/// Where the elements of a part lie.
class PartLayout {
public:
  /// Axis, count and index of `shard` must fit its shape: those of a plan do.
  explicit PartLayout(const proto::Shard &shard);

  /// Of the part, along the axis.
  uint64_t size() const { return size_; }

  /// The number in the whole of the part's element `element`.
  uint64_t inWhole(uint64_t element) const;
  /// Elements of the part.
  uint64_t elements() const { return outer_ * size_ * inner_; }

private:
  uint64_t outer_ = 1, inner_ = 1; // elements before and behind the axis
  uint64_t wholeSize_, size_;      // of the axis
  uint64_t start_, stride_;        // the part's positions on it
};

/// The bytes of a split variable, given those of the plan's variables.
std::vector<std::byte>
joinParts(const Plan &plan, const WholeVariable &whole,
          const std::vector<std::vector<std::byte>> &variables);
/// The bytes of plan variable `part`, given those of the whole.
std::vector<std::byte> cutPart(const Plan &plan, uint32_t part,
                               std::span<const std::byte> whole);

/// Do the variables that are parts make up whole ones? DATA_LOSS names the
/// variable that does not fit. Types and names were checked.
Status checkShards(const proto::Plan &plan);

} // namespace dtc
