#include "runtime/base/TaskId.h"

#include <gtest/gtest.h>

namespace dtc {
namespace {

// A task prints as job and index, a template as job and a star.
TEST(TaskId, Prints) {
  EXPECT_EQ((TaskId{"worker", 1}).toString(), "worker:1");
  EXPECT_EQ((TaskId{"worker", -1}).toString(), "worker:*");
}

// Tasks are ordered by job, then by index as a number.
TEST(TaskId, OrdersByJobThenNumber) {
  EXPECT_LT((TaskId{"ps", 9}), (TaskId{"worker", 0}));
  EXPECT_LT((TaskId{"worker", 9}), (TaskId{"worker", 10}));
  EXPECT_EQ((TaskId{"ps", 0}), (TaskId{"ps", 0}));
}

} // namespace
} // namespace dtc
