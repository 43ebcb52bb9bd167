// Valid inputs from a seed: rows within each column's range, and feeds.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"
#include "runtime/plan/TensorType.h"
#include "runtime/plan/plan.pb.h"

namespace dtc::tool {

/// Fills `columns` of `input` with the rows that replica `replica` consumes in
/// `step`: a function of seed, data set, step, block and place only, however
/// the blocks are spread over replicas.
Status fillRows(uint64_t seed, const proto::Input &input, uint64_t step,
                uint32_t replica,
                std::span<const std::span<std::byte>> columns);

/// A value for each feed of `entry` of `plan`, by name: floats uniform on
/// [0, 1), integers 0 or 1; 0 alone if the plan has labels of one class only,
/// which 1 would not be.
std::map<std::string, Tensor>
seededFeeds(uint64_t seed, const proto::Plan &plan, const proto::Entry &entry);

} // namespace dtc::tool
