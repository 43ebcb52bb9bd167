// How the bytes of a tensor become numbers, and back.
//
// A stored type T (float, Half, Boolean, int8_t, …) is computed in Compute<T>:
// the 16-bit floats in float, the others in themselves.
#pragma once

#include "runtime/base/BFloat16.h"
#include "runtime/base/ElementType.h"
#include "runtime/base/Status.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace dtc {

struct Half {
  uint16_t bits;
};
/// One byte; any value but 0 reads as true, and 1 is written.
struct Boolean {
  uint8_t value;
};

/// Exact.
float halfToFloat(Half half);
/// Round to nearest even; a NaN stays a (quiet) NaN.
Half floatToHalf(float value);

namespace detail {
template <typename T>
struct ComputeOf {
  using Type = T;
};
template <>
struct ComputeOf<Half> {
  using Type = float;
};
template <>
struct ComputeOf<BFloat16> {
  using Type = float;
};
template <>
struct ComputeOf<Boolean> {
  using Type = bool;
};
} // namespace detail

template <typename T>
using Compute = typename detail::ComputeOf<T>::Type;

template <typename T>
Compute<T> load(const T *data, int64_t index) {
  if constexpr (std::is_same_v<T, Half>)
    return halfToFloat(data[index]);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return bfloatToFloat(data[index]);
  else if constexpr (std::is_same_v<T, Boolean>)
    return data[index].value != 0;
  else
    return data[index];
}

template <typename T>
void store(T *data, int64_t index, Compute<T> value) {
  if constexpr (std::is_same_v<T, Half>)
    data[index] = floatToHalf(value);
  else if constexpr (std::is_same_v<T, BFloat16>)
    data[index] = floatToBFloat(value);
  else if constexpr (std::is_same_v<T, Boolean>)
    data[index] = {uint8_t(value ? 1 : 0)};
  else
    data[index] = value;
}

/// The value as T stores it: the rounding of one graph operation.
template <typename T>
Compute<T> rounded(Compute<T> value) {
  T stored;
  store(&stored, 0, value);
  return load(&stored, 0);
}

/// Calls f(std::type_identity<T>()) with the stored type of `element`.
template <typename F>
Status visitElement(ElementType element, F f) {
  switch (element) {
  case ElementType::F32:
    return f(std::type_identity<float>());
  case ElementType::F64:
    return f(std::type_identity<double>());
  case ElementType::F16:
    return f(std::type_identity<Half>());
  case ElementType::BF16:
    return f(std::type_identity<BFloat16>());
  case ElementType::I1:
    return f(std::type_identity<Boolean>());
  case ElementType::I8:
    return f(std::type_identity<int8_t>());
  case ElementType::U8:
    return f(std::type_identity<uint8_t>());
  case ElementType::I32:
    return f(std::type_identity<int32_t>());
  case ElementType::I64:
    return f(std::type_identity<int64_t>());
  }
  return Status::invalidArgument(strCat(int(element), " is no element type"));
}

} // namespace dtc
