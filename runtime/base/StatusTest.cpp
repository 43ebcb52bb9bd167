#include "runtime/base/Status.h"

#include <gtest/gtest.h>

#include <memory>

namespace dtc {
namespace {

// A status prints as code and message; success prints as OK.
TEST(Status, Prints) {
  EXPECT_EQ(Status::ok().toString(), "OK");
  EXPECT_EQ(Status::unavailable("lost worker:1").toString(),
            "UNAVAILABLE: lost worker:1");
}

// The codes have the numbers and names of gRPC's.
TEST(Status, CodesAreGrpcs) {
  EXPECT_EQ(static_cast<int>(StatusCode::Unavailable), 14);
  const char *names[] = {"OK",
                         "CANCELLED",
                         "UNKNOWN",
                         "INVALID_ARGUMENT",
                         "DEADLINE_EXCEEDED",
                         "NOT_FOUND",
                         "ALREADY_EXISTS",
                         "PERMISSION_DENIED",
                         "RESOURCE_EXHAUSTED",
                         "FAILED_PRECONDITION",
                         "ABORTED",
                         "OUT_OF_RANGE",
                         "UNIMPLEMENTED",
                         "INTERNAL",
                         "UNAVAILABLE",
                         "DATA_LOSS"};
  for (int code = 0; code < 16; ++code)
    EXPECT_STREQ(statusCodeName(static_cast<StatusCode>(code)), names[code]);
}

// Each maker gives its own code.
TEST(Status, MakersGiveTheirCodes) {
  EXPECT_EQ(Status::invalidArgument("").code(), StatusCode::InvalidArgument);
  EXPECT_EQ(Status::notFound("").code(), StatusCode::NotFound);
  EXPECT_EQ(Status::alreadyExists("").code(), StatusCode::AlreadyExists);
  EXPECT_EQ(Status::failedPrecondition("").code(),
            StatusCode::FailedPrecondition);
  EXPECT_EQ(Status::outOfRange("").code(), StatusCode::OutOfRange);
  EXPECT_EQ(Status::unimplemented("").code(), StatusCode::Unimplemented);
  EXPECT_EQ(Status::permissionDenied("").code(), StatusCode::PermissionDenied);
  EXPECT_EQ(Status::dataLoss("").code(), StatusCode::DataLoss);
  EXPECT_EQ(Status::unavailable("").code(), StatusCode::Unavailable);
  EXPECT_EQ(Status::deadlineExceeded("").code(), StatusCode::DeadlineExceeded);
  EXPECT_EQ(Status::resourceExhausted("").code(),
            StatusCode::ResourceExhausted);
  EXPECT_EQ(Status::aborted("").code(), StatusCode::Aborted);
  EXPECT_EQ(Status::cancelled("").code(), StatusCode::Cancelled);
  EXPECT_EQ(Status::internal("").code(), StatusCode::Internal);
}

// A prefix says where an error came from; success has none.
TEST(Status, PrefixesErrorsOnly) {
  Status prefixed = Status::notFound("no row").withPrefix("a.csv:3: ");
  EXPECT_EQ(prefixed.toString(), "NOT_FOUND: a.csv:3: no row");
  EXPECT_TRUE(Status::ok().withPrefix("a.csv:3: ").isOk());
}

Result<int> half(int n) {
  if (n % 2)
    return Status::invalidArgument(strCat(n, " is odd"));
  return n / 2;
}

Result<int> quarter(int n) {
  DTC_ASSIGN_OR_RETURN(int once, half(n));
  DTC_ASSIGN_OR_RETURN(int twice, half(once));
  return twice;
}

Status check(int n) {
  DTC_RETURN_IF_ERROR(half(n).status());
  return Status::ok();
}

// A Result holds a value or the reason why there is none.
TEST(Result, HoldsValueOrStatus) {
  EXPECT_EQ(*half(4), 2);
  EXPECT_FALSE(half(3).isOk());
  EXPECT_EQ(half(3).status().message(), "3 is odd");
}

// A Result carries what can only be moved.
TEST(Result, CarriesMoveOnlyValues) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  std::unique_ptr<int> taken = result.take();
  EXPECT_EQ(*taken, 7);
}

// The macros return the first error and go on otherwise.
TEST(Result, MacrosReturnTheFirstError) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).status().message(), "3 is odd");
  EXPECT_TRUE(check(2).isOk());
  EXPECT_EQ(check(1).message(), "1 is odd");
}

} // namespace
} // namespace dtc
