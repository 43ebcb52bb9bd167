// From the bodies of a plan's kernels to one shared object for one CPU.
//
// A kernel becomes `extern "C" void NAME(void *const *arguments, int64_t
// begin, int64_t end)`: arguments are pointers to the inputs, then to the
// outputs (dense, row-major, aligned to 64 bytes; outputs overlap nothing).
// Any split of [0, range) into calls, in any order, on any threads, gives the
// same bits, and so does any CPU target.
#ifndef DTC_PASSES_KERNEL_HOSTCODEGEN_H
#define DTC_PASSES_KERNEL_HOSTCODEGEN_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace dtc::kernel {

/// Where a diagnostic without a place of its own goes.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

struct HostTarget {
  /// As LLVM names it, and as the plan records it ("x86-64-v4", "znver4").
  std::string cpu;
  /// What a machine must have to run the code, in the spelling of
  /// __builtin_cpu_supports ("avx2", "fma", "avx512f").
  std::vector<std::string> features;

  /// Bits of the registers that kernels are laid out for: 256 or 512.
  unsigned vectorBits() const;
};

/// "host" is the highest level (x86-64-v3, x86-64-v4) that this machine has;
/// every other name is taken as it is, if LLVM knows it and it has at least
/// AVX2 and FMA (x86-64-v3): without FMA each multiply-add would be a call.
mlir::FailureOr<HostTarget> resolveHostTarget(llvm::StringRef name,
                                              EmitError emitError);

struct KernelSource {
  std::string name; // the symbol
  /// Arguments are the inputs; graph ops; the terminator's operands are the
  /// outputs. See Fusion.h for what it may hold.
  mlir::Block *body;
};

/// The index range that a kernel can be split over, and how many indices are
/// worth a thread (about 4 µs). The same on every CPU. {1, 1} for a body that
/// is no kernel.
struct KernelRange {
  int64_t range;
  int64_t grain;
};
KernelRange kernelRange(mlir::Block &body);

/// The dialects that the code generator builds with, and their translations to
/// LLVM IR. compileKernels() loads them where they are missing; a pass that
/// calls it names them as dependent, since a pass may not load.
void registerCodegenDialects(mlir::DialectRegistry &registry);

/// The bytes of a shared object that exports every kernel. The same kernels
/// give the same bytes, whatever `threads` (>= 1) is. Diagnostics at the op
/// that cannot be compiled; of tools and files through `emitError`.
mlir::FailureOr<std::string>
compileKernels(llvm::ArrayRef<KernelSource> kernels, const HostTarget &target,
               mlir::MLIRContext *context, unsigned threads,
               EmitError emitError);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_HOSTCODEGEN_H
