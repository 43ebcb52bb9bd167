#include "tools/dtc/Rounding.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

namespace dtc::tool {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

Tensor tensorOf(std::vector<float> values) {
  auto bytes = std::as_bytes(std::span(values));
  return {
      ElementType::F32, {int64_t(values.size())}, {bytes.begin(), bytes.end()}};
}

// By the tensor's largest element: a small one near 0 says little.
TEST(Rounding, IsRelativeToTheTensorsLargestElement) {
  Rounding rounding;
  rounding.compare("equal", tensorOf({1, 2}), tensorOf({1, 2}));
  EXPECT_EQ(rounding.largest(), 0);
  EXPECT_EQ(rounding.where(), "");
  rounding.compare("a", tensorOf({4, 0.5f}), tensorOf({4, 0}));
  EXPECT_EQ(rounding.largest(), 0.125);
  rounding.compare("b", tensorOf({100, 99}), tensorOf({100, 100}));
  EXPECT_EQ(rounding.largest(), 0.125);
  EXPECT_EQ(rounding.where(), "a");
  rounding.compare("c", tensorOf({-1}), tensorOf({1}));
  EXPECT_EQ(rounding.largest(), 2);
  EXPECT_EQ(rounding.where(), "c");
  EXPECT_EQ(rounding.lost(), "");
}

TEST(Rounding, SaysWhatIsNotFiniteAnyMore) {
  Rounding rounding;
  rounding.compare("both", tensorOf({infinity, NAN}),
                   tensorOf({infinity, NAN}));
  rounding.compare("better", tensorOf({1}), tensorOf({infinity}));
  EXPECT_EQ(rounding.lost(), "");
  EXPECT_EQ(rounding.largest(), 0);
  rounding.compare("output 'y'", tensorOf({2, infinity}), tensorOf({2, 3}));
  rounding.compare("output 'z'", tensorOf({NAN}), tensorOf({3}));
  EXPECT_EQ(rounding.lost(), "output 'y': element 1 is inf with rounding on "
                             "the wire, 3 without");
  EXPECT_EQ(rounding.largest(), 0);
}

} // namespace
} // namespace dtc::tool
