// ld.lld as a subprocess, on files in a directory of its own: LLVM's Debian
// package has no lld library that could be linked in.
#include "passes/kernel/LowerToLlvm.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
/// A new directory that is gone, with what is in it, at the end.
class TemporaryDirectory {
public:
  ~TemporaryDirectory() {
    if (!path_.empty())
      sys::fs::remove_directories(path_);
  }
  Error create() {
    if (std::error_code error =
            sys::fs::createUniqueDirectory("dtc-kernels", path_))
      return createStringError(error, "cannot make a temporary directory: " +
                                          error.message());
    return Error::success();
  }
  std::string file(const Twine &name) const {
    SmallString<128> path(path_);
    sys::path::append(path, name);
    return std::string(path);
  }

private:
  SmallString<128> path_;
};
} // namespace

static Expected<std::string> findLinker() {
  if (ErrorOr<std::string> path =
          sys::findProgramByName("ld.lld", {DTC_LLVM_TOOLS}))
    return *path;
  if (ErrorOr<std::string> path = sys::findProgramByName("ld.lld"))
    return *path;
  return createStringError("no ld.lld in " DTC_LLVM_TOOLS
                           " or on PATH; install the package lld-22");
}

static Error writeFile(const std::string &path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (!error) {
    out << bytes;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error)
    return createStringError(error,
                             "cannot write " + path + ": " + error.message());
  return Error::success();
}

static Expected<std::string> readFile(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read " + path + ": " +
                                 buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// Runs the linker without a shell; its complaint is the error.
static Error runLinker(ArrayRef<StringRef> arguments,
                       const std::string &complaints) {
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""),
                                          StringRef(complaints)};
  std::string message;
  constexpr unsigned kSeconds = 120;
  int code = sys::ExecuteAndWait(arguments[0], arguments, std::nullopt,
                                 redirects, kSeconds, 0, &message);
  if (code == 0)
    return Error::success();
  if (Expected<std::string> text = readFile(complaints))
    message += *text;
  else
    consumeError(text.takeError());
  return createStringError("ld.lld failed: " + message);
}

Expected<std::string>
dtc::kernel::linkSharedObject(ArrayRef<std::string> objects) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  TemporaryDirectory directory;
  if (Error error = directory.create())
    return error;
  std::string result = directory.file("kernels.so");
  std::vector<std::string> files;
  for (auto [number, object] : enumerate(objects)) {
    files.push_back(directory.file(Twine(number) + ".o"));
    if (Error error = writeFile(files.back(), object))
      return error;
  }
  // No build id, a fixed name, one thread: the bytes depend on the objects
  // alone.
  SmallVector<StringRef> arguments = {
      *linker,           "-shared",     "-soname", "kernels.so",
      "--build-id=none", "--threads=1", "-z",      "noexecstack",
      "--strip-all",     "-o",          result};
  append_range(arguments, files);
  if (Error error = runLinker(arguments, directory.file("stderr")))
    return error;
  return readFile(result);
}
