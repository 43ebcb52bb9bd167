#include "runtime/input/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <unistd.h>
#include <zlib.h>

namespace dtc {
namespace {

Status fileError(const char *what, const std::string &path, int error) {
  StatusCode code = error == ENOENT   ? StatusCode::NotFound
                    : error == EACCES ? StatusCode::PermissionDenied
                                      : StatusCode::Unknown;
  return {code, strCat("cannot ", what, " '", path,
                       "': ", error ? std::strerror(error) : "unknown error")};
}

} // namespace

std::string baseName(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

Result<std::string> readFile(const std::string &path) {
  errno = 0;
  // What is not gzip passes through unchanged.
  gzFile opened = gzopen(path.c_str(), "rb");
  if (!opened)
    return fileError("read", path, errno);
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file(opened, gzclose);
  gzbuffer(opened, 256 << 10);
  std::string text;
  std::string chunk(256 << 10, '\0');
  while (true) {
    errno = 0;
    int got = gzread(opened, chunk.data(), static_cast<unsigned>(chunk.size()));
    if (got > 0)
      text.append(chunk, 0, got);
    if (got == static_cast<int>(chunk.size()))
      continue;
    int error = Z_OK;
    gzerror(opened, &error);
    if (error == Z_ERRNO)
      return fileError("read", path, errno);
    if (error != Z_OK && error != Z_STREAM_END)
      return Status::dataLoss(
          strCat("cannot read '", path, "': the gzip data is ",
                 error == Z_BUF_ERROR ? "cut short" : "damaged"));
    if (got <= 0)
      return text;
  }
}

Status writeFile(const std::string &path, std::span<const std::byte> bytes) {
  std::error_code ignored;
  // A device or a pipe is written as it is: a rename would replace it.
  bool isDevice = std::filesystem::is_other(path, ignored);
  std::string temporary = isDevice ? path : strCat(path, ".tmp", getpid());
  FILE *file = std::fopen(temporary.c_str(), "wb");
  if (!file)
    return fileError("write", path, errno);
  bool isOk =
      bytes.empty() || std::fwrite(bytes.data(), bytes.size(), 1, file) == 1;
  int error = isOk ? 0 : errno;
  if (std::fclose(file) != 0 && isOk) {
    isOk = false;
    error = errno;
  }
  if (isOk && !isDevice && std::rename(temporary.c_str(), path.c_str()) != 0) {
    isOk = false;
    error = errno;
  }
  if (isOk)
    return Status::ok();
  if (!isDevice)
    std::remove(temporary.c_str());
  return fileError("write", path, error);
}

} // namespace dtc
