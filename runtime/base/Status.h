// Status and Result: how the runtime reports failure. No exceptions.
//
// The codes are gRPC's sixteen, so that a status crosses the wire unchanged.
// Values are immutable once made and may be shared between threads.
#pragma once

#include <cassert>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace dtc {

enum class StatusCode : int {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
  DataLoss = 15,
};

/// The code's name as documents and messages spell it ("UNAVAILABLE").
const char *statusCodeName(StatusCode code);

class [[nodiscard]] Status {
public:
  Status() = default; // success
  Status(StatusCode code, std::string message)
      : code_(code), message_(std::move(message)) {}

  static Status ok() { return Status(); }

  bool isOk() const { return code_ == StatusCode::Ok; }
  StatusCode code() const { return code_; }
  const std::string &message() const { return message_; }
  /// "UNAVAILABLE: lost worker:1", or "OK".
  std::string toString() const;
  /// The same code, with `prefix` before the message; success stays success.
  Status withPrefix(const std::string &prefix) const;

  // The caller did something wrong.
  static Status invalidArgument(std::string m) {
    return {StatusCode::InvalidArgument, std::move(m)};
  }
  static Status notFound(std::string m) {
    return {StatusCode::NotFound, std::move(m)};
  }
  static Status alreadyExists(std::string m) {
    return {StatusCode::AlreadyExists, std::move(m)};
  }
  static Status failedPrecondition(std::string m) {
    return {StatusCode::FailedPrecondition, std::move(m)};
  }
  static Status outOfRange(std::string m) {
    return {StatusCode::OutOfRange, std::move(m)};
  }
  static Status unimplemented(std::string m) {
    return {StatusCode::Unimplemented, std::move(m)};
  }
  static Status permissionDenied(std::string m) {
    return {StatusCode::PermissionDenied, std::move(m)};
  }
  // The world failed.
  static Status dataLoss(std::string m) {
    return {StatusCode::DataLoss, std::move(m)};
  }
  static Status unavailable(std::string m) {
    return {StatusCode::Unavailable, std::move(m)};
  }
  static Status deadlineExceeded(std::string m) {
    return {StatusCode::DeadlineExceeded, std::move(m)};
  }
  static Status resourceExhausted(std::string m) {
    return {StatusCode::ResourceExhausted, std::move(m)};
  }
  static Status aborted(std::string m) {
    return {StatusCode::Aborted, std::move(m)};
  }
  static Status cancelled(std::string m) {
    return {StatusCode::Cancelled, std::move(m)};
  }
  // dtc is wrong.
  static Status internal(std::string m) {
    return {StatusCode::Internal, std::move(m)};
  }

private:
  StatusCode code_ = StatusCode::Ok;
  std::string message_;
};

/// A T or the Status that says why there is none (never a success status).
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {
    assert(!status_.isOk() && "a Result without a value needs an error");
  }

  bool isOk() const { return value_.has_value(); }
  explicit operator bool() const { return isOk(); }
  const Status &status() const { return status_; }

  T &operator*() { return assert(isOk()), *value_; }
  const T &operator*() const { return assert(isOk()), *value_; }
  T *operator->() { return assert(isOk()), &*value_; }
  const T *operator->() const { return assert(isOk()), &*value_; }
  /// Moves the value out; the Result must hold one.
  T take() { return assert(isOk()), std::move(*value_); }

private:
  std::optional<T> value_;
  Status status_;
};

/// Concatenates anything that an ostream prints.
template <typename... Args>
std::string strCat(const Args &...args) {
  std::ostringstream out;
  (out << ... << args);
  return out.str();
}

#define DTC_CONCAT_INNER(a, b) a##b
#define DTC_CONCAT(a, b) DTC_CONCAT_INNER(a, b)

/// Returns from the enclosing function when `expr` (a Status) is an error.
#define DTC_RETURN_IF_ERROR(expr)                                              \
  do {                                                                         \
    if (::dtc::Status dtcStatus = (expr); !dtcStatus.isOk())                   \
      return dtcStatus;                                                        \
  } while (false)

/// DTC_ASSIGN_OR_RETURN(auto x, f()): x becomes the value of the Result f(),
/// or the enclosing function returns its status.
#define DTC_ASSIGN_OR_RETURN(lhs, expr)                                        \
  DTC_ASSIGN_OR_RETURN_IMPL(DTC_CONCAT(dtcResult, __LINE__), lhs, expr)
#define DTC_ASSIGN_OR_RETURN_IMPL(result, lhs, expr)                           \
  auto result = (expr);                                                        \
  if (!result.isOk())                                                          \
    return result.status();                                                    \
  lhs = result.take()

} // namespace dtc
