#include "runtime/executor/KernelTable.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/executor/LabelCheck.h"
#include "runtime/executor/ReferenceBody.h"

namespace dtc {

struct KernelTable::Impl {
  using Function = void (*)(void *const *arguments, int64_t begin, int64_t end);
  struct Native {
    Function function = nullptr;
    int64_t range = 0;
    int64_t grain = 0;
    LabelCheck check;
  };

  Plan::Ptr plan;
  void *library = nullptr;
  // Both by kernel. One without a function is interpreted.
  std::vector<Native> native;
  std::vector<std::optional<ReferenceBody>> interpreted;

  ~Impl() {
    if (library)
      dlclose(library);
  }
  Status interpret(const proto::Kernel &kernel);
  Status load(const proto::CodeObject &object);
};

namespace {

/// The bytes as a file that nobody can open by name or change.
Result<int> sealedFile(const std::string &bytes) {
  int fd = memfd_create("dtc-kernels", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    return Status::resourceExhausted(
        strCat("cannot create memory for kernels: ", std::strerror(errno)));
  size_t written = 0;
  while (written < bytes.size()) {
    ssize_t n = write(fd, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      std::string why = std::strerror(errno);
      close(fd);
      return Status::resourceExhausted(
          strCat("cannot create memory for kernels: ", why));
    }
    written += n;
  }
  fcntl(fd, F_ADD_SEALS,
        F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  return fd;
}

/// Whether every byte that the loader will map is there: a mapping beyond the
/// end of a file kills the process at its first touch.
bool isWholeObject(const std::string &bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header)
    return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  auto lies = [&](uint64_t offset, uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  if (!lies(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr)))
    return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment,
                sizeof segment);
    if (segment.p_type != PT_GNU_STACK &&
        !lies(segment.p_offset, segment.p_filesz))
      return false;
  }
  return true;
}

/// The first feature that this CPU lacks, or "".
std::string missingFeature(const proto::CodeObject &object) {
  for (const std::string &feature : object.features())
    if (!cpuHasFeature(feature))
      return feature;
  return "";
}

bool isForCpu(const proto::CodeObject &object) {
  return object.target().rfind("cuda:", 0) != 0;
}

Result<const proto::CodeObject *> chooseObject(const Plan &plan,
                                               const std::string &target) {
  std::string reasons, known;
  for (const proto::CodeObject &object : plan.proto().objects()) {
    known += (known.empty() ? "" : ", ") + object.target();
    if (!target.empty() && object.target() != target)
      continue;
    std::string missing = missingFeature(object);
    if (isForCpu(object) && missing.empty())
      return &object;
    reasons += strCat("\nnote: the code for ", object.target(), " needs ",
                      missing.empty() ? "a GPU" : missing,
                      ", which this machine does not have");
  }
  if (!target.empty() && reasons.empty())
    return Status::notFound(strCat(plan.path(), ": has no kernels for '",
                                   target, "'\nhelp: it has ", known));
  return Status::failedPrecondition(
      strCat(plan.path(), ": has no kernels that this CPU can execute", reasons,
             "\nhelp: compile it with --target host on this machine, or with "
             "--target reference for any"));
}

} // namespace

bool cpuHasFeature(const std::string &feature) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#define DTC_FEATURE(name, known)                                               \
  if (feature == name)                                                         \
    return __builtin_cpu_supports(known);
  DTC_FEATURE("sse3", "sse3")
  DTC_FEATURE("ssse3", "ssse3")
  DTC_FEATURE("sse4.1", "sse4.1")
  DTC_FEATURE("sse4.2", "sse4.2")
  DTC_FEATURE("popcnt", "popcnt")
  DTC_FEATURE("avx", "avx")
  DTC_FEATURE("avx2", "avx2")
  DTC_FEATURE("fma", "fma")
  DTC_FEATURE("f16c", "f16c")
  DTC_FEATURE("bmi", "bmi")
  DTC_FEATURE("bmi2", "bmi2")
  DTC_FEATURE("lzcnt", "lzcnt")
  DTC_FEATURE("movbe", "movbe")
  DTC_FEATURE("avx512f", "avx512f")
  DTC_FEATURE("avx512bw", "avx512bw")
  DTC_FEATURE("avx512cd", "avx512cd")
  DTC_FEATURE("avx512dq", "avx512dq")
  DTC_FEATURE("avx512vl", "avx512vl")
  DTC_FEATURE("avx512bf16", "avx512bf16")
  DTC_FEATURE("avx512vnni", "avx512vnni")
#undef DTC_FEATURE
#endif
  return false;
}

Status KernelTable::Impl::interpret(const proto::Kernel &kernel) {
  auto body = ReferenceBody::create(kernel);
  if (!body.isOk())
    return body.status().withPrefix(plan->path() + ": ");
  native.push_back({});
  interpreted.push_back(body.take());
  return Status::ok();
}

Status KernelTable::Impl::load(const proto::CodeObject &object) {
  const std::string &bytes = *plan->member(object.member());
  std::string where = strCat(plan->path(), ": member '", object.member(), "'");
  if (!isWholeObject(bytes))
    return Status::dataLoss(strCat(where, " is no whole shared object"));
  DTC_ASSIGN_OR_RETURN(int fd, sealedFile(bytes));
  library = dlopen(strCat("/proc/self/fd/", fd).c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string why = library ? "" : dlerror();
  close(fd);
  if (!library)
    return Status::dataLoss(strCat(where, " cannot be loaded: ", why));
  for (const proto::Kernel &kernel : plan->proto().kernels()) {
    if (kernel.reference_only()) {
      DTC_RETURN_IF_ERROR(interpret(kernel));
      continue;
    }
    auto function =
        reinterpret_cast<Function>(dlsym(library, kernel.name().c_str()));
    if (!function)
      return Status::dataLoss(
          strCat(where, " has no kernel '", kernel.name(), "'"));
    native.push_back({function, kernel.range(),
                      std::max<int64_t>(kernel.grain(), 1),
                      LabelCheck(kernel)});
    interpreted.push_back(std::nullopt);
  }
  return Status::ok();
}

Result<KernelTable::Ptr> KernelTable::create(Plan::Ptr plan,
                                             const std::string &target) {
  std::shared_ptr<KernelTable> table(new KernelTable());
  table->impl_ = std::make_unique<Impl>();
  table->impl_->plan = plan;
  if (plan->proto().kernels_size() == 0 && plan->proto().objects_size() == 0)
    return Ptr(std::move(table)); // a plan that only moves data
  DTC_ASSIGN_OR_RETURN(const proto::CodeObject *object,
                       chooseObject(*plan, target));
  table->target_ = object->target();
  if (object->target() != "reference")
    DTC_RETURN_IF_ERROR(table->impl_->load(*object));
  else
    for (const proto::Kernel &kernel : plan->proto().kernels())
      DTC_RETURN_IF_ERROR(table->impl_->interpret(kernel));
  return Ptr(std::move(table));
}

KernelTable::~KernelTable() = default;

bool KernelTable::isHeavy(uint32_t kernel) const {
  const Impl::Native &native = impl_->native[kernel];
  return native.function && native.range >= native.grain;
}

Status KernelTable::run(uint32_t kernel, void *const *arguments,
                        ThreadPool &pool) const {
  const Impl::Native &native = impl_->native[kernel];
  if (!native.function)
    return impl_->interpreted[kernel]->run(arguments);
  DTC_RETURN_IF_ERROR(native.check.run(arguments));
  if (native.range <= native.grain || pool.threads() == 1) {
    native.function(arguments, 0, native.range);
    return Status::ok();
  }
  pool.parallelFor(native.range, native.grain, [&](int64_t begin, int64_t end) {
    native.function(arguments, begin, end);
  });
  return Status::ok();
}

} // namespace dtc
