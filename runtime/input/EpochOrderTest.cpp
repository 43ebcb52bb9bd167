#include "runtime/input/EpochOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace dtc {
namespace {

using Order = EpochOrder::Order;

// The order is written down: another platform, or a later dtc, must not change
// what a seed means.
TEST(EpochOrder, IsTheSameEverywhere) {
  EXPECT_EQ(*EpochOrder(10, 1, true).order(0),
            (Order{1, 9, 0, 7, 4, 2, 5, 3, 8, 6}));
  EXPECT_EQ(*EpochOrder(10, 1, true).order(1),
            (Order{9, 4, 0, 1, 6, 2, 8, 7, 5, 3}));
  EXPECT_EQ(*EpochOrder(10, 2, true).order(0),
            (Order{9, 8, 3, 7, 1, 6, 2, 4, 5, 0}));
}

// It depends on seed and epoch only, not on what was asked for before.
TEST(EpochOrder, HasNoMemory) {
  EpochOrder order(100, 7, true);
  auto fifth = order.order(5);
  (void)order.order(2);
  EXPECT_EQ(*order.order(5), *fifth);
  EXPECT_NE(*order.order(6), *fifth);
}

// Every epoch has every row once.
TEST(EpochOrder, IsAPermutation) {
  for (int64_t rows : {0, 1, 2, 1000}) {
    Order order = *EpochOrder(rows, 3, true).order(4);
    std::sort(order.begin(), order.end());
    Order all(rows);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
  }
}

// Without shuffling the rows keep their order.
TEST(EpochOrder, KeepsOrderWithoutShuffle) {
  EXPECT_EQ(*EpochOrder(4, 9, false).order(3), (Order{0, 1, 2, 3}));
}

// Each row comes first about equally often.
TEST(EpochOrder, IsFair) {
  EpochOrder order(5, 11, true);
  int first[5] = {};
  for (int epoch = 0; epoch < 5000; ++epoch)
    ++first[order.order(epoch)->front()];
  for (int count : first)
    EXPECT_NEAR(count, 1000, 150);
}

} // namespace
} // namespace dtc
