// What the code generator shows to dtc-opt.
#ifndef DTC_PASSES_KERNEL_PASSES
#define DTC_PASSES_KERNEL_PASSES

include "mlir/Pass/PassBase.td"

def LowerToHost : Pass<"kernel-lower-to-host", "::mlir::ModuleOp"> {
  let summary = "Turns each plan.kernel into the loops that LLVM gets";
  let description = [{
    Replaces a kernel by the function that `compileKernels()` builds for it, in
    the scf, arith, math, vector and LLVM dialects. For tests and the curious:
    compiling does the same on its own, kernel by kernel.
  }];
  let options = [Option<"vectorBits", "vector-bits", "unsigned", "512",
                        "Bits of a vector register: 256 or 512">];
}

#endif // DTC_PASSES_KERNEL_PASSES
