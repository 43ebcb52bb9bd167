#include "runtime/input/Elements.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dtc {
namespace {

double roundTrip(ElementType type, double value) {
  std::byte array[16] = {};
  storeElement(type, array, 1, value);
  return loadElement(type, array, 1);
}

// Every type gives back the numbers that it can hold.
TEST(Elements, RoundTrip) {
  for (int number = 1; number <= 9; ++number) {
    ElementType type = *elementTypeFromNumber(number);
    for (double value : {0.0, 1.0, 100.0, -100.0, 0.5, 65504.0, -2147483648.0})
      if (isRepresentable(type, value) &&
          (isFloat(type) ? std::fabs(value) <= 100 : true)) {
        EXPECT_EQ(roundTrip(type, value), value) << type;
      }
  }
}

// Halves round to nearest even, denormals included.
TEST(Elements, HalfRounds) {
  EXPECT_EQ(roundTrip(ElementType::F16, 2049), 2048);
  EXPECT_EQ(roundTrip(ElementType::F16, 2051), 2052);
  EXPECT_EQ(roundTrip(ElementType::F16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(roundTrip(ElementType::F16, 0x1p-25), 0);
  EXPECT_EQ(roundTrip(ElementType::F16, 0x1.8p-24), 0x1p-23);
  EXPECT_EQ(roundTrip(ElementType::F16, 0x1.ffffp-15), 0x1p-14);
  EXPECT_EQ(roundTrip(ElementType::F16, -65519), -65504);
  EXPECT_FALSE(isRepresentable(ElementType::F16, 65520));
}

// All halves that are numbers survive.
TEST(Elements, AllHalvesRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    double value =
        loadElement(ElementType::F16, reinterpret_cast<std::byte *>(&half), 0);
    if (!std::isfinite(value))
      continue;
    uint16_t again = 0;
    storeElement(ElementType::F16, reinterpret_cast<std::byte *>(&again), 0,
                 value);
    ASSERT_EQ(again, half);
  }
}

// bf16 rounds to nearest even.
TEST(Elements, Bf16Rounds) {
  EXPECT_EQ(roundTrip(ElementType::BF16, 257), 256);
  EXPECT_EQ(roundTrip(ElementType::BF16, 259), 260);
}

// Integers are whole and in range; i1 is 0 or 1.
TEST(Elements, IntegersAreChecked) {
  EXPECT_TRUE(isRepresentable(ElementType::U8, 255));
  EXPECT_FALSE(isRepresentable(ElementType::U8, 256));
  EXPECT_FALSE(isRepresentable(ElementType::U8, -1));
  EXPECT_FALSE(isRepresentable(ElementType::I8, 128));
  EXPECT_FALSE(isRepresentable(ElementType::I32, 1.5));
  EXPECT_FALSE(isRepresentable(ElementType::I32, 2147483648.0));
  EXPECT_TRUE(isRepresentable(ElementType::I64, -0x1p63));
  EXPECT_FALSE(isRepresentable(ElementType::I64, 0x1p63));
  EXPECT_FALSE(isRepresentable(ElementType::I1, 2));
  EXPECT_FALSE(isRepresentable(ElementType::F32, 1e39));
}

} // namespace
} // namespace dtc
