#include "tools/dtc/Exit.h"

#include <iostream>

namespace dtc::tool {

int exitCodeOf(const Status &status) {
  switch (status.code()) {
  case StatusCode::Ok:
    return exitSuccess;
  case StatusCode::InvalidArgument:
  case StatusCode::DataLoss:
  case StatusCode::OutOfRange:
  case StatusCode::FailedPrecondition:
  case StatusCode::Unimplemented:
    return exitBadInput;
  case StatusCode::NotFound:
  case StatusCode::PermissionDenied:
  case StatusCode::Unknown: // what else the system says of a file
    return exitFile;
  case StatusCode::AlreadyExists: // its name is taken, perhaps by one that died
  case StatusCode::Unavailable:
  case StatusCode::DeadlineExceeded:
  case StatusCode::Aborted:
  case StatusCode::Cancelled:
    return exitLostPeer;
  case StatusCode::ResourceExhausted:
    return exitRunFailed;
  case StatusCode::Internal:
    return exitBug;
  }
  return exitBug;
}

int fail(const std::string &verb, int code, const std::string &message) {
  std::cerr << "dtc " << verb << ": error: " << message << std::endl;
  return code;
}

int fail(const std::string &verb, const Status &status) {
  return fail(verb, exitCodeOf(status), status.message());
}

} // namespace dtc::tool
