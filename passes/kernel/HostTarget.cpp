#include "passes/kernel/HostCodegen.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <memory>

using namespace mlir;
using namespace dtc::kernel;

/// Features that __builtin_cpu_supports knows and generated code may use, in
/// the order in which plans list them.
static constexpr llvm::StringLiteral kFeatures[] = {"avx",
                                                    "avx2",
                                                    "bmi",
                                                    "bmi2",
                                                    "f16c",
                                                    "fma",
                                                    "lzcnt",
                                                    "movbe",
                                                    "avx512f",
                                                    "avx512bw",
                                                    "avx512cd",
                                                    "avx512dq",
                                                    "avx512vl",
                                                    "avx512ifma",
                                                    "avx512vbmi",
                                                    "avx512vbmi2",
                                                    "avx512vnni",
                                                    "avx512bitalg",
                                                    "avx512vpopcntdq",
                                                    "avx512bf16",
                                                    "gfni",
                                                    "vaes",
                                                    "vpclmulqdq"};

/// The floor, x86-64-v3, in LLVM's spelling.
static constexpr char kFloor[] = "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe";
static constexpr char kWide[] =
    "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl";

unsigned HostTarget::vectorBits() const {
  return llvm::is_contained(features, "avx512vl") ? 512 : 256;
}

static std::unique_ptr<llvm::MCSubtargetInfo> subtarget(StringRef cpu) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  assert(target && "dtc is built with LLVM's X86 target");
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, cpu, ""));
}

/// The level that this machine has, or "" below the floor.
static StringRef hostLevel() {
  llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  auto hasAll = [&](StringRef features) {
    return llvm::all_of(llvm::split(features, ','), [&](StringRef feature) {
      return has.lookup(feature.drop_front());
    });
  };
  if (!hasAll(kFloor))
    return "";
  return hasAll(kWide) ? "x86-64-v4" : "x86-64-v3";
}

FailureOr<HostTarget> dtc::kernel::resolveHostTarget(StringRef name,
                                                     EmitError emitError) {
  if (name == "host") {
    name = hostLevel();
    if (name.empty())
      return emitError() << "this machine's CPU has no AVX2 and FMA; kernels "
                            "need x86-64-v3 (use --target reference)";
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info = subtarget("x86-64");
  if (!info->isCPUStringValid(name))
    return emitError() << "no CPU '" << name
                       << "'; use host, x86-64-v3, x86-64-v4 or an x86-64 CPU "
                          "that LLVM knows (znver4, sapphirerapids)";
  info = subtarget(name);
  if (!info->checkFeatures(kFloor))
    return emitError() << "CPU '" << name
                       << "' has no AVX2 and FMA; x86-64-v3 is the floor";
  HostTarget target{name.str(), {}};
  for (StringRef feature : kFeatures)
    if (info->checkFeatures(("+" + feature).str()))
      target.features.push_back(feature.str());
  return target;
}
