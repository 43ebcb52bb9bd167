#include "tools/dtc/Files.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>

#include "runtime/base/FileError.h"
#include "runtime/input/Files.h"
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
  return ::dtc::writeFile(path, std::as_bytes(std::span(bytes)));
}

Result<std::string> clusterShapeOfFile(const std::string &path) {
  DTC_ASSIGN_OR_RETURN(std::string text, readFile(path));
  DTC_ASSIGN_OR_RETURN(ClusterSpec spec, ClusterSpec::parseJson(text, path));
  DTC_RETURN_IF_ERROR(spec.checkDense().withPrefix(path + ": "));
  return shapeText(spec.trainingTasks());
}

} // namespace dtc::tool
