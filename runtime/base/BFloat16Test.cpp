#include "runtime/base/BFloat16.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace dtc {
namespace {

uint16_t rounded(uint32_t bits) {
  return floatToBFloat(std::bit_cast<float>(bits)).bits;
}

// G7: to nearest, ties to even, whatever the sign; the last finite step up is
// infinity.
TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(rounded(0x3f800000), 0x3f80); // 1
  EXPECT_EQ(rounded(0x3f807fff), 0x3f80); // below the middle
  EXPECT_EQ(rounded(0x3f808000), 0x3f80); // in the middle, to even: down
  EXPECT_EQ(rounded(0x3f808001), 0x3f81); // above it
  EXPECT_EQ(rounded(0x3f818000), 0x3f82); // in the middle, to even: up
  EXPECT_EQ(rounded(0xbf818000), 0xbf82);
  EXPECT_EQ(rounded(0x7f7f7fff), 0x7f7f);
  EXPECT_EQ(rounded(0x7f7f8000), 0x7f80);
  EXPECT_EQ(rounded(0xff7fffff), 0xff80);
}

TEST(BFloat16, KeepsZerosInfinitiesAndSubnormals) {
  EXPECT_EQ(rounded(0x00000000), 0x0000);
  EXPECT_EQ(rounded(0x80000000), 0x8000);
  EXPECT_EQ(rounded(0x7f800000), 0x7f80);
  EXPECT_EQ(rounded(0xff800000), 0xff80);
  EXPECT_EQ(rounded(0x00000001), 0x0000);
  EXPECT_EQ(rounded(0x00008000), 0x0000); // half of the least one, to even
  EXPECT_EQ(rounded(0x00008001), 0x0001);
  EXPECT_EQ(rounded(0x80018000), 0x8002);
  EXPECT_EQ(rounded(0x007fffff), 0x0080); // becomes normal
}

// A NaN whose payload is in the bits that go would become an infinity.
TEST(BFloat16, NanStaysNan) {
  for (uint32_t bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u,
                        0xff808000u, 0xffffffffu}) {
    BFloat16 narrow = floatToBFloat(std::bit_cast<float>(bits));
    EXPECT_TRUE(std::isnan(bfloatToFloat(narrow))) << std::hex << bits;
    EXPECT_EQ(narrow.bits >> 15, bits >> 31) << "the sign stays";
  }
}

// Against the definition: no bf16 is nearer, and rounding twice is rounding
// once.
TEST(BFloat16, NoNeighbourIsNearer) {
  for (uint64_t bits = 0; bits < 0x7f000000; bits += 40503) {
    double value = std::bit_cast<float>(uint32_t(bits));
    BFloat16 narrow = floatToBFloat(float(value));
    double error = std::fabs(bfloatToFloat(narrow) - value);
    for (int step : {-1, 1}) {
      BFloat16 other{uint16_t(narrow.bits + step)};
      if (narrow.bits == 0 && step < 0)
        continue;
      double theirs = std::fabs(bfloatToFloat(other) - value);
      EXPECT_TRUE(error < theirs || (error == theirs && narrow.bits % 2 == 0))
          << std::hex << bits;
    }
    EXPECT_EQ(floatToBFloat(bfloatToFloat(narrow)).bits, narrow.bits);
  }
}

// Tensors of all lengths around a block, in place, at any address.
TEST(BFloat16, PacksAndUnpacksTensors) {
  for (size_t elements : {0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000}) {
    std::vector<float> values(elements);
    for (size_t i = 0; i < elements; ++i)
      values[i] = std::sin(float(i)) * std::ldexp(1.0f, int(i) % 60 - 30);
    std::vector<std::byte> room(4 * elements + 1);
    std::span<std::byte> tensor = std::span(room).subspan(1);
    packBFloats(std::as_bytes(std::span(values)), packedPart(tensor));
    unpackBFloats(tensor);
    for (size_t i = 0; i < elements; ++i) {
      float value;
      std::memcpy(&value, &tensor[4 * i], sizeof value);
      EXPECT_EQ(value, bfloatToFloat(floatToBFloat(values[i])))
          << i << " of " << elements;
    }
  }
}

} // namespace
} // namespace dtc
