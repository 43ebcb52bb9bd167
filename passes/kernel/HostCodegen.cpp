#include "passes/kernel/HostCodegen.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "passes/kernel/KernelEmitter.h"
#include "passes/kernel/LowerToLlvm.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace dtc::kernel;

void dtc::kernel::registerCodegenDialects(DialectRegistry &registry) {
  registry
      .insert<LLVM::LLVMDialect, arith::ArithDialect, cf::ControlFlowDialect,
              math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

static void loadCodegenDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerCodegenDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

namespace {
/// One kernel on its way. LLVM's contexts are not thread-safe: each has one.
struct Job {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::string object;
  std::string error;
};
} // namespace

/// The kernel as LLVM IR, or failure after a diagnostic.
static LogicalResult translate(Job &job, const KernelSource &kernel,
                               const HostTarget &target) {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(kernel.body->getParentOp()->getLoc());
  if (failed(emitKernel(*module, kernel, target.vectorBits())) ||
      failed(convertToLlvmDialect(*module)))
    return failure();
  job.context = std::make_unique<llvm::LLVMContext>();
  job.module = translateModuleToLLVMIR(*module, *job.context, kernel.name,
                                       /*disableVerification=*/true);
  return success(job.module != nullptr);
}

static void assemble(Job &job, const HostTarget &target) {
  llvm::Expected<std::string> object = assembleObject(*job.module, target);
  if (object)
    job.object = std::move(*object);
  else
    job.error = llvm::toString(object.takeError());
  job.module.reset();
  job.context.reset();
}

/// An object without functions: the linker wants at least one.
static std::string assembleNothing(const HostTarget &target) {
  Job job;
  job.context = std::make_unique<llvm::LLVMContext>();
  job.module = std::make_unique<llvm::Module>("nothing", *job.context);
  assemble(job, target);
  assert(job.error.empty() && "nothing can be assembled");
  return std::move(job.object);
}

/// MLIR's part runs here, in order, so that diagnostics come in order; LLVM's
/// part, which takes most of the time, runs behind it on `threads` threads.
static LogicalResult compileObjects(MutableArrayRef<Job> jobs,
                                    ArrayRef<const KernelSource *> kernels,
                                    const HostTarget &target,
                                    unsigned threads) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  LogicalResult result = success();
  for (auto [job, kernel] : llvm::zip_equal(jobs, kernels)) {
    if (failed(translate(job, *kernel, target))) {
      result = failure();
      continue;
    }
    pool.async([job = &job, &target] { assemble(*job, target); });
  }
  pool.wait();
  return result;
}

FailureOr<std::string>
dtc::kernel::compileKernels(ArrayRef<KernelSource> kernels,
                            const HostTarget &target, MLIRContext *context,
                            unsigned threads, EmitError emitError) {
  loadCodegenDialects(context);
  SmallVector<const KernelSource *> sorted;
  for (const KernelSource &kernel : kernels)
    sorted.push_back(&kernel);
  llvm::sort(sorted, [](const KernelSource *a, const KernelSource *b) {
    return a->name < b->name;
  });
  std::vector<Job> jobs(kernels.size());
  if (failed(compileObjects(jobs, sorted, target, threads)))
    return failure();
  std::vector<std::string> objects;
  for (auto [job, kernel] : llvm::zip_equal(jobs, sorted)) {
    if (!job.error.empty())
      return emitError() << "kernel " << kernel->name << ": " << job.error;
    objects.push_back(std::move(job.object));
  }
  if (objects.empty())
    objects.push_back(assembleNothing(target));
  llvm::Expected<std::string> linked = linkSharedObject(objects);
  if (!linked)
    return emitError() << llvm::toString(linked.takeError());
  return std::move(*linked);
}
