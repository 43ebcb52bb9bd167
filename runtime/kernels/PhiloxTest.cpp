#include "runtime/kernels/Philox.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

// Known answers of the authors' distribution, Random123 (kat_vectors).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0}, {0, 0, 0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff},
                   {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0xa4093822, 0x299f31d0},
                   {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// 0 would be log(0), 1 would be outside a half-open range.
TEST(Philox, OpenUnitHasNeitherZeroNorOne) {
  EXPECT_GT(openUnit(0, 0), 0.0);
  EXPECT_LT(openUnit(0xffffffff, 0xffffffff), 1.0);
}

} // namespace
} // namespace dtc
