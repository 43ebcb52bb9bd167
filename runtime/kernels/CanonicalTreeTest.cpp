#include "runtime/kernels/CanonicalTree.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

using namespace dtc;

namespace {
std::string treeText(int64_t length) {
  auto combine = [](const std::string &a, const std::string &b) {
    return a.empty() ? b : b.empty() ? a : "(" + a + "+" + b + ")";
  };
  return reduceByTree(length, std::string(), combine,
                      [](int64_t i) { return std::to_string(i); });
}
} // namespace

// Element 16 joins element 0 in lane 0; lanes then join across halves.
TEST(CanonicalTree, LanesTakeEverySixteenthElement) {
  EXPECT_EQ(treeText(0), "");
  EXPECT_EQ(treeText(3), "((0+2)+1)");
  EXPECT_EQ(treeText(9), "((((0+8)+4)+(2+6))+((1+5)+(3+7)))");
  EXPECT_EQ(treeText(17).substr(0, 12), "(((((0+16)+8");
}

// The second block's sum is added to the first's, it does not join its lanes.
TEST(CanonicalTree, BlocksOf4096AreAddedInOrder) {
  std::string text = treeText(4097);
  EXPECT_EQ(text, "(" + treeText(4096) + "+4096)");
}

// A float sum of ones is exact whatever the length.
TEST(CanonicalTree, SumsOnes) {
  for (int64_t length : {1, 15, 16, 17, 4095, 4096, 4097, 10000})
    EXPECT_EQ(reduceByTree(length, 0.0f, std::plus<float>(),
                           [](int64_t) { return 1.0f; }),
              float(length));
}
