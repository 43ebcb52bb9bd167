#include "runtime/base/FileError.h"

#include <cerrno>

#include <gtest/gtest.h>

namespace dtc {
namespace {

// Callers tell "not there" from "not allowed"; the rest is for a person to
// read.
TEST(FileError, SaysWhatAndWhy) {
  EXPECT_EQ(fileError("a.plan: cannot read", ENOENT).toString(),
            "NOT_FOUND: a.plan: cannot read: No such file or directory");
  EXPECT_EQ(fileError("x", EACCES).code(), StatusCode::PermissionDenied);
  EXPECT_EQ(fileError("x", EROFS).code(), StatusCode::PermissionDenied);
  EXPECT_EQ(fileError("x", ENOSPC).toString(),
            "UNKNOWN: x: No space left on device");
  EXPECT_EQ(fileError("x", 0).toString(), "UNKNOWN: x: unknown error");
}

} // namespace
} // namespace dtc
