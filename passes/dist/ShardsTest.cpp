#include "passes/dist/Shards.h"

#include <gtest/gtest.h>

namespace dtc::dist {
namespace {

std::vector<int64_t> sizes(int64_t size, int64_t count) {
  Split split{0, count, false};
  std::vector<int64_t> list;
  int64_t start = 0;
  for (int64_t index = 0; index < count; ++index) {
    EXPECT_EQ(split.startOf(size, index), start);
    list.push_back(split.sizeOf(size, index));
    start += list.back();
  }
  EXPECT_EQ(start, size);
  return list;
}

// P8: the worked examples of the reference.
TEST(Shards, TheFirstOnesHaveOneMore) {
  EXPECT_EQ(sizes(100000, 3), (std::vector<int64_t>{33334, 33333, 33333}));
  EXPECT_EQ(sizes(793470, 8),
            (std::vector<int64_t>{99184, 99184, 99184, 99184, 99184, 99184,
                                  99183, 99183}));
  EXPECT_EQ(sizes(4, 4), (std::vector<int64_t>{1, 1, 1, 1}));
}

// P9: a slot is a slot of its part.
TEST(Shards, NamesOfPartsAreUnderTheWhole) {
  EXPECT_EQ(partName("fc/w", "fc/w", 2), "fc/w/part_2");
  EXPECT_EQ(partName("fc/w.momentum", "fc/w", 0), "fc/w/part_0.momentum");
}

} // namespace
} // namespace dtc::dist
