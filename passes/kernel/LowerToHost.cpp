// kernel-lower-to-host: what the emitters build, for all to see.
#include "dialects/plan/Plan.h"
#include "passes/kernel/KernelEmitter.h"
#include "passes/kernel/Passes.h"

namespace dtc::kernel {
#define GEN_PASS_DEF_LOWERTOHOST
#include "passes/kernel/Passes.h.inc"
} // namespace dtc::kernel

using namespace mlir;
using namespace dtc;

namespace {
struct LowerToHostPass : dtc::kernel::impl::LowerToHostBase<LowerToHostPass> {
  using LowerToHostBase::LowerToHostBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    kernel::registerCodegenDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto kernel :
         llvm::make_early_inc_range(module.getOps<plan::KernelOp>())) {
      kernel::KernelSource source{kernel.getSymName().str(),
                                  &kernel.getBody().front()};
      if (failed(kernel::emitKernel(module, source, vectorBits)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
