// Elements: single numbers of any ElementType, read and written as doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/base/ElementType.h"

namespace dtc {

/// Element `index` of an array of `type`. i64 beyond 2^53 loses low bits.
double loadElement(ElementType type, const std::byte *array, int64_t index);

/// Writes `value`, rounded to nearest even for floats. The value must be
/// representable (see isRepresentable).
void storeElement(ElementType type, std::byte *array, int64_t index,
                  double value);
/// The same for values[i] * scale at index + i: a row costs one look at the
/// type.
void storeScaled(ElementType type, std::byte *array, int64_t index,
                 std::span<const double> values, double scale);

/// Whether `value` can be an element: integers must be whole and in range, i1
/// is 0 or 1, floats must not become infinite.
bool isRepresentable(ElementType type, double value);

} // namespace dtc
