#include "runtime/base/FileError.h"

#include <cerrno>
#include <cstring>

namespace dtc {
namespace {

StatusCode codeOf(int error) {
  switch (error) {
  case ENOENT:
    return StatusCode::NotFound;
  case EACCES:
  case EPERM:
  case EROFS:
    return StatusCode::PermissionDenied;
  default:
    return StatusCode::Unknown;
  }
}

} // namespace

Status fileError(const std::string &what, int error) {
  return {codeOf(error),
          strCat(what, ": ", error ? std::strerror(error) : "unknown error")};
}

} // namespace dtc
