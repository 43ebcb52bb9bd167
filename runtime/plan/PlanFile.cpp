#include "runtime/plan/PlanFile.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "runtime/base/FileError.h"
#include "runtime/plan/QuietParse.h"
#include "runtime/plan/Sha256.h"

namespace dtc {
namespace {

constexpr char planMember[] = "plan.pb";
constexpr char manifestMember[] = "manifest.json";
constexpr zip_int64_t maxMembers = 4096;
constexpr size_t maxNameBytes = 255;
constexpr size_t maxFileBytes = size_t(4) << 30;
// 1980-01-01 12:00:00. libzip converts through local time and back; noon of
// that day exists in every time zone, so the bytes never depend on one.
constexpr uint16_t dosDate = (0 << 9) | (1 << 5) | 1;
constexpr uint16_t dosTime = 12 << 11;

struct ZipDiscard {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
struct SourceFree {
  void operator()(zip_source_t *source) const { zip_source_free(source); }
};
struct FileClose {
  void operator()(zip_file_t *file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, ZipDiscard>;
using Source = std::unique_ptr<zip_source_t, SourceFree>;

bool isSafeMemberName(const std::string &name) {
  if (name.empty() || name.size() > maxNameBytes || name.front() == '/')
    return false;
  for (unsigned char c : name)
    if (!(std::isalnum(c) || std::strchr("._-+/", c)))
      return false;
  return ("/" + name + "/").find("/../") == std::string::npos &&
         ("/" + name + "/").find("/./") == std::string::npos &&
         name.find("//") == std::string::npos && name.back() != '/';
}

std::string serialise(const proto::Plan &plan) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true); // map entries in key order
  plan.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

std::string manifestOf(const std::map<std::string, std::string> &members) {
  nlohmann::json entries = nlohmann::json::object();
  for (const auto &[name, bytes] : members)
    entries[name] = {{"bytes", bytes.size()}, {"sha256", sha256Hex(bytes)}};
  return nlohmann::json{{"schema", "dtc.plan/1"}, {"members", entries}}.dump(
             1) +
         "\n";
}

Status addMember(zip_t *archive, const std::string &name,
                 const std::string &bytes) {
  zip_source_t *source =
      zip_source_buffer(archive, bytes.data(), bytes.size(), /*freep=*/0);
  if (!source)
    return Status::internal(zip_strerror(archive));
  zip_int64_t index =
      zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return Status::internal(strCat(name, ": ", zip_strerror(archive)));
  }
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, index, dosTime, dosDate, 0) != 0)
    return Status::internal(strCat(name, ": ", zip_strerror(archive)));
  return Status::ok();
}

/// Drains a source that an archive was written to.
Result<std::string> bytesOf(zip_source_t *source) {
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
    return Status::internal("libzip cannot read back what it wrote");
  std::string bytes(stat.size, '\0');
  zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(bytes.size()))
    return Status::internal("libzip cannot read back what it wrote");
  return bytes;
}

Status damaged(const std::string &name, const std::string &what) {
  return Status::dataLoss(strCat(name, ": damaged plan: ", what));
}

Result<std::string> readMember(zip_t *archive, zip_uint64_t index,
                               const zip_stat_t &stat,
                               const std::string &file) {
  std::unique_ptr<zip_file_t, FileClose> member(
      zip_fopen_index(archive, index, 0));
  if (!member)
    return damaged(file,
                   strCat("member '", stat.name, "': ", zip_strerror(archive)));
  std::string bytes(stat.size, '\0');
  zip_int64_t got = zip_fread(member.get(), bytes.data(), bytes.size());
  char more = 0;
  // The read past the end makes libzip compare the CRC.
  if (got != static_cast<zip_int64_t>(bytes.size()) ||
      zip_fread(member.get(), &more, 1) != 0)
    return damaged(file, strCat("member '", stat.name, "' cannot be read: ",
                                zip_file_strerror(member.get())));
  return bytes;
}

Result<std::map<std::string, std::string>>
readMembers(zip_t *archive, size_t fileBytes, const std::string &file) {
  std::map<std::string, std::string> members;
  zip_int64_t count = zip_get_num_entries(archive, 0);
  if (count > maxMembers)
    return Status::resourceExhausted(strCat(file, ": has ", count,
                                            " members, at most ", maxMembers,
                                            " are allowed"));
  size_t total = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE |
                                    ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive, i, ZIP_FL_ENC_RAW, &stat) != 0 ||
        (stat.valid & needed) != needed)
      return damaged(file, strCat("member ", i, " has no valid header"));
    std::string name = stat.name;
    if (!isSafeMemberName(name))
      return damaged(file, strCat("member name '", name, "' is not allowed"));
    if (stat.comp_method != ZIP_CM_STORE || stat.comp_size != stat.size)
      return damaged(file, strCat("member '", name, "' is compressed"));
    if (stat.size > fileBytes || (total += stat.size) > fileBytes)
      return damaged(file, strCat("member '", name, "' claims ", stat.size,
                                  " bytes, the file has ", fileBytes));
    DTC_ASSIGN_OR_RETURN(std::string bytes, readMember(archive, i, stat, file));
    if (!members.emplace(name, std::move(bytes)).second)
      return damaged(file, strCat("there are two members '", name, "'"));
  }
  return members;
}

/// {name: {"bytes", "sha256"}} against what the file really holds.
Status checkManifest(const std::map<std::string, std::string> &members,
                     const std::string &file) {
  auto found = members.find(manifestMember);
  if (found == members.end())
    return damaged(file, "it has no member 'manifest.json'");
  nlohmann::json manifest =
      nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  if (manifest.is_discarded() || !manifest.is_object() ||
      !manifest.contains("members") || !manifest["members"].is_object())
    return damaged(file, "'manifest.json' is not a manifest");
  const nlohmann::json &listed = manifest["members"];
  for (const auto &[name, entry] : listed.items())
    if (!members.count(name))
      return damaged(file, strCat("member '", name, "' is missing"));
  for (const auto &[name, bytes] : members) {
    if (name == manifestMember)
      continue;
    auto entry = listed.find(name);
    if (entry == listed.end())
      return damaged(file,
                     strCat("member '", name, "' is not in its manifest"));
    if (!entry->is_object() || !entry->contains("sha256") ||
        !(*entry)["sha256"].is_string())
      return damaged(file, strCat("member '", name, "' has no digest"));
    std::string expected = (*entry)["sha256"].get<std::string>();
    std::string actual = sha256Hex(bytes);
    if (expected != actual)
      return damaged(file, strCat("member '", name, "' has SHA-256 ", actual,
                                  ", its manifest says ", expected));
  }
  return Status::ok();
}

Result<proto::Plan> parsePlan(const std::string &bytes,
                              const std::string &file) {
  proto::Plan plan;
  if (!parseQuietly(plan, bytes))
    return damaged(file, "member 'plan.pb' is not a plan");
  if (plan.schema_version() > planSchemaVersion)
    return Status::unimplemented(
        strCat(file, ": plan has schema ", plan.schema_version(),
               ", this dtc reads up to ", planSchemaVersion,
               "\nhelp: use the dtc that wrote it (", plan.compiler_version(),
               "), or compile the graph again"));
  if (plan.schema_version() == 0)
    return damaged(file, "member 'plan.pb' has no schema version");
  return plan;
}

Status ioError(const std::string &path, const std::string &what) {
  return fileError(strCat(path, ": ", what), errno);
}

/// Writes all of `bytes` to a new file at `path` and makes them durable.
Status writeWhole(const std::string &path, const std::string &bytes) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return ioError(path, "cannot create");
  size_t written = 0;
  while (written < bytes.size()) {
    ssize_t n = write(fd, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      Status status = ioError(path, "cannot write");
      close(fd);
      return status;
    }
    written += n;
  }
  if (close(fd) != 0)
    return ioError(path, "cannot write");
  return Status::ok();
}

} // namespace

Result<std::string>
planFileBytes(const proto::Plan &plan,
              const std::map<std::string, std::string> &members) {
  for (const auto &[name, bytes] : members)
    if (!isSafeMemberName(name))
      return Status::invalidArgument(
          strCat("plan member name '", name, "' is not allowed"));
  std::map<std::string, std::string> all = members;
  all[planMember] = serialise(plan);
  all.erase(manifestMember);
  all[manifestMember] = manifestOf(all);
  zip_error_t error;
  zip_error_init(&error);
  Source target(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!target)
    return Status::internal(zip_error_strerror(&error));
  Archive archive(
      zip_open_from_source(target.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive)
    return Status::internal(zip_error_strerror(&error));
  zip_source_keep(target.get()); // the archive took our reference
  for (const auto &[name, bytes] : all)
    DTC_RETURN_IF_ERROR(addMember(archive.get(), name, bytes));
  if (zip_close(archive.get()) != 0)
    return Status::internal(zip_strerror(archive.get()));
  archive.release(); // zip_close freed it
  return bytesOf(target.get());
}

Status writePlanFile(const std::string &path, const proto::Plan &plan,
                     const std::map<std::string, std::string> &members) {
  DTC_ASSIGN_OR_RETURN(std::string bytes, planFileBytes(plan, members));
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) // a rename would replace it
    return writeWhole(path, bytes);
  // Beside the target, so that the rename stays in one file system.
  std::string temporary = strCat(path, ".tmp.", getpid());
  Status status = writeWhole(temporary, bytes);
  if (status.isOk() && rename(temporary.c_str(), path.c_str()) != 0)
    status = ioError(path, "cannot write");
  if (!status.isOk())
    unlink(temporary.c_str());
  return status;
}

Result<PlanContents> readPlanBytes(const std::string &bytes,
                                   const std::string &name) {
  zip_error_t error;
  zip_error_init(&error);
  Source source(
      zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  if (!source)
    return Status::internal(zip_error_strerror(&error));
  Archive archive(
      zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!archive && zip_error_code_zip(&error) == ZIP_ER_EXISTS)
    return damaged(name, "there are two members of one name");
  if (!archive)
    return damaged(name, zip_error_strerror(&error));
  source.release(); // the archive owns it now
  DTC_ASSIGN_OR_RETURN(auto members,
                       readMembers(archive.get(), bytes.size(), name));
  auto planBytes = members.find(planMember);
  if (planBytes == members.end())
    return damaged(name, "it has no member 'plan.pb'");
  DTC_RETURN_IF_ERROR(checkManifest(members, name));
  PlanContents contents;
  DTC_ASSIGN_OR_RETURN(contents.plan, parsePlan(planBytes->second, name));
  members.erase(planMember);
  members.erase(manifestMember);
  contents.members = std::move(members);
  contents.sha256 = sha256Hex(bytes);
  return contents;
}

Result<PlanContents> readPlanFile(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return ioError(path, "cannot read");
  if (!S_ISREG(info.st_mode))
    return Status::notFound(strCat(path, ": is not a file"));
  if (static_cast<size_t>(info.st_size) > maxFileBytes)
    return Status::resourceExhausted(strCat(
        path, ": has ", info.st_size, " bytes, a plan at most ", maxFileBytes));
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return ioError(path, "cannot read");
  std::string bytes(info.st_size, '\0');
  in.read(bytes.data(), info.st_size);
  if (in.bad())
    return ioError(path, "cannot read");
  bytes.resize(in.gcount()); // it may just have become shorter
  return readPlanBytes(bytes, path);
}

} // namespace dtc
