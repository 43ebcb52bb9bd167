#include "runtime/input/Files.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <unistd.h>
#include <zlib.h>

#include "runtime/base/FileError.h"

namespace dtc {
uint64_t maxFileBytes() {
  return uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 4;
}

Result<std::string> readFile(const std::string &path, uint64_t maxBytes) {
  errno = 0;
  // What is not gzip passes through unchanged.
  gzFile opened = gzopen(path.c_str(), "rb");
  if (!opened)
    return fileError(strCat("cannot read '", path, "'"), errno);
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file(opened, gzclose);
  gzbuffer(opened, 256 << 10);
  std::string text;
  std::string chunk(256 << 10, '\0');
  while (true) {
    errno = 0;
    int got = gzread(opened, chunk.data(), static_cast<unsigned>(chunk.size()));
    if (got > 0)
      text.append(chunk, 0, got);
    if (text.size() > maxBytes)
      return Status::resourceExhausted(
          strCat("cannot read '", path, "': it holds more than ", maxBytes,
                 " bytes, which is what this machine has memory for"));
    if (got == static_cast<int>(chunk.size()))
      continue;
    int error = Z_OK;
    gzerror(opened, &error);
    if (error == Z_ERRNO)
      return fileError(strCat("cannot read '", path, "'"), errno);
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
    return fileError(strCat("cannot write '", path, "'"), errno);
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
  return fileError(strCat("cannot write '", path, "'"), error);
}

} // namespace dtc
