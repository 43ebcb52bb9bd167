#include "passes/kernel/LowerToLlvm.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <mutex>

using namespace llvm;
using namespace dtc::kernel;

static std::unique_ptr<TargetMachine> createMachine(const HostTarget &target,
                                                    const Triple &triple) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
  std::string error;
  const Target *x86 = TargetRegistry::lookupTarget(triple, error);
  assert(x86 && "dtc is built with LLVM's X86 target");
  TargetOptions options;
  // Rounding belongs to the graph op.
  options.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(
      x86->createTargetMachine(triple, target.cpu, "", options, Reloc::PIC_,
                               std::nullopt, CodeGenOptLevel::Default));
}

/// Cleans up what the emitters leave to it: address arithmetic, equal
/// expressions, invariants. No unrolling and no vectorising: kernels come
/// tiled and in vectors, and more of either breaks the tiles.
static void optimise(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  FunctionPassManager passes;
  passes.addPass(SimplifyCFGPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

Expected<std::string> dtc::kernel::assembleObject(Module &module,
                                                  const HostTarget &target) {
  Triple triple("x86_64-unknown-linux-gnu");
  std::unique_ptr<TargetMachine> machine = createMachine(target, triple);
  // Before optimising: without them memset and memcpy would become byte loops,
  // and nothing would know a vector's cost.
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  std::string bits = std::to_string(target.vectorBits());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("prefer-vector-width", bits);
    function.addFnAttr("min-legal-vector-width", bits);
    function.addFnAttr(Attribute::NoUnwind);
  }
  optimise(module, *machine);
  SmallString<0> object;
  raw_svector_ostream out(object);
  legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, out, nullptr,
                                   CodeGenFileType::ObjectFile,
                                   /*DisableVerify=*/true))
    return createStringError("LLVM cannot write objects for " + target.cpu);
  codegen.run(module);
  return std::string(object);
}
