// Files as the command line sees them; "-" is standard input or output.
#pragma once

#include <string>

#include "runtime/base/Status.h"

namespace dtc::tool {

/// The whole file. Errors (see FileError.h) name the path.
Result<std::string> readFile(const std::string &path);
/// Writes the file whole or not at all (runtime/input/Files.h does).
Status writeFile(const std::string &path, const std::string &bytes);

/// "ps=1,worker=2" of a cluster file (TF_CONFIG's form).
Result<std::string> clusterShapeOfFile(const std::string &path);

} // namespace dtc::tool
