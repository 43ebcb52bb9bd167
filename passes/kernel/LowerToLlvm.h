// The last steps of a kernel's compilation (internal to the room): MLIR's
// structured dialects to LLVM's, LLVM IR, and an object file in memory.
#ifndef DTC_PASSES_KERNEL_LOWERTOLLVM_H
#define DTC_PASSES_KERNEL_LOWERTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include "passes/kernel/HostCodegen.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace dtc::kernel {

/// Turns what emitKernel() built into the LLVM dialect.
mlir::LogicalResult convertToLlvmDialect(mlir::ModuleOp module);

/// Optimises and assembles a module of kernels. `module` is used up. Any
/// thread; one module and its context belong to one thread at a time.
llvm::Expected<std::string> assembleObject(llvm::Module &module,
                                           const HostTarget &target);

/// Links objects into a shared object with ld.lld. The order of the objects is
/// the order of the code.
llvm::Expected<std::string>
linkSharedObject(llvm::ArrayRef<std::string> objects);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_LOWERTOLLVM_H
