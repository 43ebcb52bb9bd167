#include "tools/dtc/Files.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

#include "runtime/base/FileError.h"
#include "runtime/plan/ClusterSpec.h"

namespace dtc::tool {
Result<std::string> readFile(const std::string &path) {
  if (path == "-")
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  if (std::filesystem::is_directory(path))
    return Status::notFound(strCat("cannot read ", path, ": it is a folder"));
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return fileError("cannot read " + path, errno);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Status writeFile(const std::string &path, const std::string &bytes) {
  if (path == "-") {
    std::cout << bytes << std::flush;
    return Status::ok();
  }
  std::error_code ignored;
  // A device or a pipe is written as it is: a rename would replace it.
  bool isDevice = std::filesystem::is_other(path, ignored);
  std::string temporary = isDevice ? path : strCat(path, ".", getpid(), ".tmp");
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    if (!out.write(bytes.data(), bytes.size()).flush()) {
      Status error = fileError("cannot write " + path, errno);
      if (!isDevice)
        std::remove(temporary.c_str());
      return error;
    }
  }
  if (isDevice)
    return Status::ok();
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    Status error = fileError("cannot write " + path, errno);
    std::remove(temporary.c_str());
    return error;
  }
  return Status::ok();
}

Result<std::string> clusterShapeOfFile(const std::string &path) {
  DTC_ASSIGN_OR_RETURN(std::string text, readFile(path));
  DTC_ASSIGN_OR_RETURN(ClusterSpec spec, ClusterSpec::parseJson(text, path));
  DTC_RETURN_IF_ERROR(spec.checkDense().withPrefix(path + ": "));
  return shapeText(spec.trainingTasks());
}

} // namespace dtc::tool
