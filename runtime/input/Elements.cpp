#include "runtime/input/Elements.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/base/BFloat16.h"

namespace dtc {
namespace {

template <typename T>
T loadAs(const std::byte *array, int64_t index) {
  T value;
  std::memcpy(&value, array + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T, typename Convert>
void storeAs(std::byte *array, int64_t index, std::span<const double> values,
             double scale, Convert convert) {
  std::byte *to = array + index * sizeof(T);
  for (double number : values) {
    T value = convert(number * scale);
    std::memcpy(to, &value, sizeof(T));
    to += sizeof(T);
  }
}

/// The bits of the nearest half, ties to even.
uint16_t toF16(double number) {
  uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  double magnitude = std::fabs(number);
  if (magnitude == 0)
    return sign;
  int exponent;
  std::frexp(magnitude, &exponent); // magnitude = m * 2^exponent, m in [1/2, 1)
  int power = exponent - 1 < -14 ? -14 : exponent - 1;
  // In units of the last place: below 1024 it is a denormal; 2048 carries into
  // the exponent by itself.
  auto units =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - power)));
  return static_cast<uint16_t>(sign + (uint32_t(power + 14) << 10) + units);
}

double fromF16(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  int fraction = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

bool isWholeWithin(double value, double low, double high) {
  return value == std::nearbyint(value) && value >= low && value <= high;
}

} // namespace

double loadElement(ElementType type, const std::byte *array, int64_t index) {
  switch (type) {
  case ElementType::F32:
    return loadAs<float>(array, index);
  case ElementType::F64:
    return loadAs<double>(array, index);
  case ElementType::F16:
    return fromF16(loadAs<uint16_t>(array, index));
  case ElementType::BF16:
    return bfloatToFloat(loadAs<BFloat16>(array, index));
  case ElementType::I1:
  case ElementType::U8:
    return loadAs<uint8_t>(array, index);
  case ElementType::I8:
    return loadAs<int8_t>(array, index);
  case ElementType::I32:
    return loadAs<int32_t>(array, index);
  case ElementType::I64:
    return static_cast<double>(loadAs<int64_t>(array, index));
  }
  return 0;
}

void storeElement(ElementType type, std::byte *array, int64_t index,
                  double value) {
  storeScaled(type, array, index, {&value, 1}, 1);
}

void storeScaled(ElementType type, std::byte *array, int64_t index,
                 std::span<const double> values, double scale) {
  auto store = [&]<typename T>(T, auto convert) {
    storeAs<T>(array, index, values, scale, convert);
  };
  auto cast = [&]<typename T>(T type) {
    store(type, [](double number) { return static_cast<T>(number); });
  };
  switch (type) {
  case ElementType::F32:
    return cast(float());
  case ElementType::F64:
    return cast(double());
  case ElementType::F16:
    return store(uint16_t(), toF16);
  case ElementType::BF16:
    return store(uint16_t(), [](double number) {
      return floatToBFloat(static_cast<float>(number)).bits;
    });
  case ElementType::I1:
  case ElementType::U8:
    return cast(uint8_t());
  case ElementType::I8:
    return cast(int8_t());
  case ElementType::I32:
    return cast(int32_t());
  case ElementType::I64:
    return cast(int64_t());
  }
}

bool isRepresentable(ElementType type, double value) {
  double size = std::fabs(value);
  switch (type) {
  case ElementType::F32:
    return std::isfinite(static_cast<float>(value));
  case ElementType::F64:
    return std::isfinite(value);
  case ElementType::F16:
    return size < 65520; // what rounds to 65504
  case ElementType::BF16:
    return std::isfinite(static_cast<float>(value)) &&
           std::isfinite(
               bfloatToFloat(floatToBFloat(static_cast<float>(value))));
  case ElementType::I1:
    return value == 0 || value == 1;
  case ElementType::I8:
    return isWholeWithin(value, -128, 127);
  case ElementType::U8:
    return isWholeWithin(value, 0, 255);
  case ElementType::I32:
    return isWholeWithin(value, -2147483648.0, 2147483647.0);
  case ElementType::I64: // the doubles below 2^63
    return isWholeWithin(value, -0x1p63, 0x1.fffffffffffffp62);
  }
  return false;
}

} // namespace dtc
