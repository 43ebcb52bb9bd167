#include "runtime/checkpoint/Saver.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/FileError.h"
#include "runtime/input/Npy.h"

namespace dtc {
namespace {

namespace fs = std::filesystem;

// As many differences as a screen holds.
constexpr int maxListed = 10;

Status ioError(const std::string &path, const std::string &what,
               const std::error_code &error) {
  return fileError(strCat(path, ": ", what), error.value());
}

std::string typeText(ElementType element, const std::vector<int64_t> &shape) {
  std::string text = "tensor<";
  for (int64_t dim : shape)
    text += std::to_string(dim) + "x";
  return strCat(text, element, ">");
}

std::string withoutSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  return path;
}

/// Makes a file or folder durable; what cannot be synced is still written.
void sync(const std::string &path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

Status writeAll(const std::string &directory,
                const std::map<std::string, Tensor> &variables) {
  std::error_code error;
  if (!fs::create_directory(directory, error) && error)
    return ioError(directory, "cannot create", error);
  for (const auto &[name, tensor] : variables) {
    std::string path = directory + "/" + variableFileName(name);
    DTC_RETURN_IF_ERROR(
        writeNpy(path, tensor.element, tensor.shape, tensor.bytes));
    sync(path);
  }
  sync(directory);
  return Status::ok();
}

/// Puts `fresh` where the old `directory` is, and what was there at `old`.
std::error_code exchange(const std::string &fresh, const std::string &directory,
                         const std::string &old) {
  std::error_code error, ignored;
  // In one step, so that a crash leaves the old folder or the new one ...
  if (renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, directory.c_str(),
                RENAME_EXCHANGE) == 0) {
    fs::rename(fresh, old, error);
    return error;
  }
  // ... where the file system can do that.
  fs::rename(directory, old, error);
  if (error)
    return error;
  fs::rename(fresh, directory, error);
  if (error)
    fs::rename(old, directory, ignored);
  return error;
}

/// Puts `fresh` where `directory` is; the old one, if any, is dropped after.
Status replace(const std::string &fresh, const std::string &directory) {
  std::string old = fresh + ".old";
  std::error_code error, ignored;
  if (fs::exists(directory, ignored))
    error = exchange(fresh, directory, old);
  else
    fs::rename(fresh, directory, error);
  if (error)
    return ioError(directory, "cannot write", error);
  fs::remove_all(old, ignored);
  return Status::ok();
}

} // namespace

Status checkSaveDirectory(const std::string &directory) {
  std::string target = withoutSlashes(directory);
  std::error_code error;
  if (!fs::exists(target, error))
    return Status::ok();
  if (!fs::is_directory(target, error))
    return Status::failedPrecondition(
        strCat(target, ": is not a folder, so nothing is saved there"));
  for (fs::directory_iterator it(target, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() != ".npy")
      return Status::failedPrecondition(
          strCat(target, ": holds '", it->path().filename().string(),
                 "', which is no saved variable\nhelp: save to a new folder"));
  return error ? ioError(target, "cannot read", error) : Status::ok();
}

std::string variableFileName(const std::string &variable) {
  std::string name;
  for (size_t i = 0; i < variable.size(); ++i) {
    unsigned char c = variable[i];
    bool isPlain =
        std::isalnum(c) || c == '_' || c == '-' || (c == '.' && i > 0);
    if (isPlain)
      name += static_cast<char>(c);
    else
      name += {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
  }
  return name + ".npy";
}

Status saveVariables(const std::string &directory,
                     const std::map<std::string, Tensor> &variables) {
  DTC_RETURN_IF_ERROR(checkSaveDirectory(directory));
  std::string target = withoutSlashes(directory);
  std::error_code error;
  fs::path parent = fs::path(target).parent_path();
  if (!parent.empty())
    fs::create_directories(parent, error);
  if (error)
    return ioError(parent.string(), "cannot create", error);
  std::string fresh = strCat(target, ".tmp.", getpid());
  fs::remove_all(fresh, error);
  Status status = writeAll(fresh, variables);
  if (status.isOk())
    status = replace(fresh, target);
  if (status.isOk())
    sync(parent.empty() ? "." : parent.string());
  else
    fs::remove_all(fresh, error);
  return status;
}

Result<std::map<std::string, Tensor>>
loadVariables(const std::string &directory,
              const std::map<std::string, VariableShape> &expected) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return error ? ioError(directory, "cannot read", error)
                 : Status::notFound(strCat(directory, ": is not a folder"));
  std::map<std::string, Tensor> variables;
  std::string problems;
  int count = 0;
  for (const auto &[name, shape] : expected) {
    std::string file = variableFileName(name);
    auto read = readNpy(withoutSlashes(directory) + "/" + file);
    if (!read.isOk() && read.status().code() != StatusCode::NotFound)
      return read.status();
    bool isWidened = read.isOk() && shape.element == ElementType::BF16 &&
                     read->type == ElementType::F32; // as writeNpy does it
    if (isWidened)
      *read = {ElementType::BF16, read->shape, narrowToBf16(read->bytes)};
    std::string problem;
    if (!read.isOk())
      problem = strCat("'", name, "' is missing (", file, ")");
    else if (read->type != shape.element || read->shape != shape.shape)
      problem = strCat("'", name, "' is ", typeText(shape.element, shape.shape),
                       " in the plan, but ", typeText(read->type, read->shape),
                       " in ", file);
    else
      variables[name] = {read->type, read->shape, std::move(read->bytes)};
    if (!problem.empty() && ++count <= maxListed)
      problems += "\n  " + problem;
  }
  if (count > maxListed)
    problems += strCat("\n  and ", count - maxListed, " more");
  if (count > 0)
    return Status::invalidArgument(
        strCat(directory, ": ", count, " of ", expected.size(),
               expected.size() == 1 ? " variable does" : " variables do",
               " not fit the plan:", problems));
  return variables;
}

} // namespace dtc
