// The scalar operations, one rounding each. Integers wrap. maximum and relu
// pass a NaN on; relu(-0) is -0. Generated kernels follow to the bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace dtc::arithmetic {

/// Unsigned and at least 32 bits wide, so that no integer promotion to a
/// signed int can overflow.
template <typename T>
using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return T(Wide<T>(a) + Wide<T>(b));
  }
};

struct Sub {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return T(Wide<T>(a) - Wide<T>(b));
  }
};

struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return T(Wide<T>(a) * Wide<T>(b));
  }
};

struct Div { // floats only
  template <typename T>
  T operator()(T a, T b) const {
    return a / b;
  }
};

struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
  /// Not above any value.
  template <typename T>
  static T identity() {
    if constexpr (std::is_floating_point_v<T>)
      return -std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::min();
  }
};

struct Relu { // floats only
  template <typename T>
  T operator()(T x) const {
    return T(0) > x ? T(0) : x;
  }
};

} // namespace dtc::arithmetic
