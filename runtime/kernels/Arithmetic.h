// The scalar operations, one rounding each. Integers wrap. maximum, minimum
// and relu pass a NaN on; relu(-0) is -0. Generated kernels follow to the bit.
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

struct Neg {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>)
      return -x;
    else
      return Sub()(T(0), x);
  }
};

struct Abs {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::abs(x);
    else
      return x < T(0) ? Neg()(x) : x;
  }
};

/// A zero keeps its sign, a NaN stays one.
struct Sign {
  template <typename T>
  T operator()(T x) const {
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
  }
};

/// Integers: n / 0 is 0, and the least over -1 is itself.
struct Div {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a / b;
    else if (b == T(0))
      return T(0);
    else if (std::is_signed_v<T> && b == T(-1))
      return Neg()(a);
    else
      return T(a / b);
  }
};

struct FloorDiv {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::floor(a / b);
    T quotient = Div()(a, b);
    bool isExact = Mul()(quotient, b) == a;
    return b != T(0) && !isExact && (a < T(0)) != (b < T(0)) ? T(quotient - 1)
                                                             : quotient;
  }
};

/// The remainder with b's sign; exact for floats but for the addition of b to
/// a remainder of the other sign. An integer modulo 0 is itself.
struct FloorMod {
  template <typename T>
  T operator()(T a, T b) const {
    T remainder;
    if constexpr (std::is_floating_point_v<T>)
      remainder = std::fmod(a, b);
    else
      remainder = Sub()(a, Mul()(Div()(a, b), b));
    bool isOther = remainder != T(0) && (b < T(0)) != (remainder < T(0));
    return isOther && b != T(0) ? Add()(remainder, b) : remainder;
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

struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
  /// Not below any value.
  template <typename T>
  static T identity() {
    if constexpr (std::is_floating_point_v<T>)
      return std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::max();
  }
};

struct Relu { // floats only
  template <typename T>
  T operator()(T x) const {
    return T(0) > x ? T(0) : x;
  }
};

template <typename To, typename From>
To floatToInteger(From value) {
  if (value != value)
    return 0;
  // The limits as From has them; max() may round up, hence >=.
  if (value <= From(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  if (value >= From(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return To(value);
}

/// A number as another type has it: graph.cast says how.
template <typename To, typename From>
To convert(From value) {
  if constexpr (std::is_same_v<To, bool>)
    return value != From(0);
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return floatToInteger<To>(value);
  else
    return To(value);
}

} // namespace dtc::arithmetic
