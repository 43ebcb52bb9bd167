// KernelEmitter: a kernel's body as loops over memory, in MLIR's scf, arith,
// math, vector and LLVM dialects (internal to the room).
#ifndef DTC_PASSES_KERNEL_KERNELEMITTER_H
#define DTC_PASSES_KERNEL_KERNELEMITTER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/kernel/HostCodegen.h"

namespace dtc::kernel {

/// Appends `llvm.func @name(%arguments: !llvm.ptr, %begin: i64, %end: i64)` and
/// the constants it needs to `module`.
mlir::LogicalResult emitKernel(mlir::ModuleOp module,
                               const KernelSource &kernel, unsigned vectorBits);

} // namespace dtc::kernel

#endif // DTC_PASSES_KERNEL_KERNELEMITTER_H
