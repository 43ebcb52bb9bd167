// A variable's first value: a function of the run's seed, the variable's name
// and its initializer. Never of where it is placed.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/plan/Plan.h"

namespace dtc {

/// Fills `bytes`, which has the size of the variable's type. A part of a split
/// variable gets what the whole has there. To each float a random number from
/// 0 to `spread` is added.
void initialValue(const Plan &plan, uint32_t variable, uint64_t seed,
                  double spread, std::span<std::byte> bytes);

} // namespace dtc
