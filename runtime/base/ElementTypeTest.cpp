#include "runtime/base/ElementType.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

// Every number of plan.proto has a type with a name and a size; no other has.
TEST(ElementType, NumbersAreThoseOfThePlan) {
  const std::pair<std::string_view, size_t> expected[] = {
      {"f32", 4}, {"f64", 8}, {"f16", 2}, {"bf16", 2}, {"i1", 1},
      {"i8", 1},  {"ui8", 1}, {"i32", 4}, {"i64", 8}};
  for (int number = 1; number <= 9; ++number) {
    auto type = elementTypeFromNumber(number);
    ASSERT_TRUE(type.has_value()) << number;
    EXPECT_EQ(name(*type), expected[number - 1].first);
    EXPECT_EQ(sizeBytes(*type), expected[number - 1].second);
    EXPECT_EQ(isFloat(*type), number <= 4);
  }
  EXPECT_FALSE(elementTypeFromNumber(0).has_value());
  EXPECT_FALSE(elementTypeFromNumber(10).has_value());
}

} // namespace
} // namespace dtc
