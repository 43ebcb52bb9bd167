// FileError: what the system says of a file, as a Status.
#pragma once

#include <string>

#include "runtime/base/Status.h"

namespace dtc {

/// "WHAT: why" for an errno: NOT_FOUND, PERMISSION_DENIED or, for all else,
/// UNKNOWN. `what` names the path.
Status fileError(const std::string &what, int error);

} // namespace dtc
