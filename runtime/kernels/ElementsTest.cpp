#include "runtime/kernels/Elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace dtc;

// Every half but the NaNs survives the way through float.
TEST(Elements, HalfRoundTripsThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = halfToFloat({uint16_t(bits)});
    if (value == value)
      EXPECT_EQ(floatToHalf(value).bits, bits);
    else
      EXPECT_TRUE(std::isnan(halfToFloat(floatToHalf(value))));
  }
}

TEST(Elements, HalfRoundsToNearestEven) {
  EXPECT_EQ(floatToHalf(1.0f).bits, 0x3c00);
  EXPECT_EQ(floatToHalf(1.0f + 0x1p-11f).bits, 0x3c00);
  EXPECT_EQ(floatToHalf(1.0f + 0x3p-11f).bits, 0x3c02);
  EXPECT_EQ(floatToHalf(65519.0f).bits, 0x7bff);
  EXPECT_EQ(floatToHalf(65520.0f).bits, 0x7c00); // infinity
  EXPECT_EQ(floatToHalf(0x1p-25f).bits, 0);
  EXPECT_EQ(floatToHalf(0x1.8p-25f).bits, 1);
  EXPECT_EQ(floatToHalf(-0x1p-24f).bits, 0x8001);
}

// A boolean is one byte; any but 0 is true, and 1 is what is written.
TEST(Elements, BooleanIsOneByte) {
  Boolean value{7};
  EXPECT_TRUE(load(&value, 0));
  store(&value, 0, true);
  EXPECT_EQ(value.value, 1);
}

TEST(Elements, RefusesAnUnknownElementType) {
  Status status =
      visitElement(ElementType(99), [](auto) { return Status::ok(); });
  EXPECT_EQ(status.message(), "99 is no element type");
}
