// dtc-opt: runs passes on the text of any phase, for tests and the curious.
//
// MLIR's own driver (MlirOptMain) forgets the names of values when it reads a
// file. Ours reads and prints as dtc does, and otherwise takes its flags.
#include "dialects/dist/Dist.h"
#include "dialects/graph/Dialect.h"
#include "dialects/graph/GraphFile.h"
#include "dialects/plan/Plan.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "passes/dist/Passes.h"
#include "passes/dist/Pipeline.h"
#include "passes/graph/Passes.h"
#include "passes/graph/Pipeline.h"
#include "passes/kernel/Passes.h"
#include "passes/plan/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {

struct Flags {
  cl::opt<std::string> input{cl::Positional, cl::desc("FILE"), cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("Where to write"), cl::init("-")};
  cl::opt<bool> split{"split-input-file",
                      cl::desc("Take each part between `// -----` alone")};
  cl::opt<bool> verifyDiagnostics{
      "verify-diagnostics",
      cl::desc("Expect the diagnostics that comments announce, and no other")};
  PassPipelineCLParser pipeline{"", "Passes to run"};
};

} // namespace

static void registerDialects(DialectRegistry &registry) {
  registry.insert<dtc::graph::GraphDialect, dtc::dist::DistDialect,
                  dtc::plan::PlanDialect>();
}

static void registerPasses() {
  registerTransformsPasses();
  dtc::graph::registerGraphPasses();
  dtc::graph::registerGraphPipeline();
  dtc::dist::registerDistPasses();
  dtc::dist::registerDistPipelines();
  dtc::plan::registerPlanPasses();
  dtc::kernel::registerKernelPasses();
}

// Reads the main buffer of `sources`, runs the passes, prints to `os`.
static LogicalResult transform(const llvm::SourceMgr &sources,
                               MLIRContext *context, const Flags &flags,
                               raw_ostream &os) {
  OwningOpRef<ModuleOp> module = dtc::graph::parseGraph(sources, context);
  if (!module)
    return failure();
  // A pass on functions may be named alone.
  PassManager passes(context, ModuleOp::getOperationName(),
                     PassManager::Nesting::Implicit);
  auto complain = [&](const Twine &message) {
    return emitError(UnknownLoc::get(context)) << message;
  };
  applyDefaultTimingPassManagerCLOptions(passes);
  if (failed(applyPassManagerCLOptions(passes)) ||
      failed(flags.pipeline.addToPipeline(passes, complain)) ||
      failed(passes.run(*module)))
    return failure();
  os << dtc::graph::printGraph(*module);
  return success();
}

// Transforms one part of the file in a context of its own.
static LogicalResult processPart(std::unique_ptr<llvm::MemoryBuffer> part,
                                 const DialectRegistry &registry,
                                 const Flags &flags, raw_ostream &os) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(part), llvm::SMLoc());
  if (flags.verifyDiagnostics) {
    SourceMgrDiagnosticVerifierHandler handler(sources, &context);
    (void)transform(sources, &context, flags, os);
    return handler.verify();
  }
  SourceMgrDiagnosticHandler handler(sources, &context);
  return transform(sources, &context, flags, os);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerPasses();
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  Flags flags;
  cl::ParseCommandLineOptions(argc, argv, "dtc-opt: runs passes on IR\n");

  DialectRegistry registry;
  registerDialects(registry);
  std::string error;
  auto input = openInputFile(flags.input, &error);
  auto output = input ? openOutputFile(flags.output, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return 5;
  }
  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> part,
                     raw_ostream &os) {
    return processPart(std::move(part), registry, flags, os);
  };
  if (failed(splitAndProcessBuffer(std::move(input), process, output->os(),
                                   flags.split ? kDefaultSplitMarker : "",
                                   flags.split ? "// -----\n" : "")))
    return 1;
  output->keep();
  return 0;
}
