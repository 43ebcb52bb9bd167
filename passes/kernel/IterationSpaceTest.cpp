#include "passes/kernel/IterationSpace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dtc::kernel;
using testing::ElementsAre;

// Operands of one shape are walked as one row of elements.
TEST(IterationSpace, MergesDenseOperands) {
  Strides dense = denseStrides({2, 3, 4});
  IterationSpace space = collapse({2, 3, 4}, {dense, dense}, false);
  EXPECT_THAT(space.sizes, ElementsAre(24));
  EXPECT_THAT(space.strides[1], ElementsAre(1));
}

// A bias keeps the last dimension apart; the others still merge.
TEST(IterationSpace, KeepsWhatABroadcastTellsApart) {
  IterationSpace space = collapse(
      {2, 3, 4}, {denseStrides({2, 3, 4}), broadcastStrides({4}, {2, 3, 4})},
      false);
  EXPECT_THAT(space.sizes, ElementsAre(6, 4));
  EXPECT_THAT(space.strides[0], ElementsAre(4, 1));
  EXPECT_THAT(space.strides[1], ElementsAre(0, 1));
  EXPECT_EQ(space.rows(), 6);
  EXPECT_EQ(space.columns(), 4);
}

TEST(IterationSpace, KeepsColumnsOnRequest) {
  IterationSpace space = collapse({2, 3, 4}, {denseStrides({2, 3, 4})}, true);
  EXPECT_THAT(space.sizes, ElementsAre(6, 4));
  EXPECT_THAT(collapse({5, 1}, {}, true).sizes, ElementsAre(5, 1));
}

TEST(IterationSpace, DropsUnitDimensionsAndScalars) {
  EXPECT_THAT(collapse({1, 5, 1}, {denseStrides({1, 5, 1})}, false).sizes,
              ElementsAre(5));
  EXPECT_THAT(collapse({}, {Strides{}}, false).sizes, ElementsAre(1));
}

TEST(IterationSpace, BroadcastStridesAreZeroWhereItRepeats) {
  EXPECT_THAT(broadcastStrides({3, 1, 5}, {2, 3, 4, 5}),
              ElementsAre(0, 5, 0, 1));
}
