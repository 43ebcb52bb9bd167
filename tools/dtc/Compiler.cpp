#include "tools/dtc/Compiler.h"

#include <set>

#include "dialects/diagnostics/Coded.h"
#include "dialects/dist/Dist.h"
#include "dialects/graph/Dialect.h"
#include "dialects/graph/GraphFile.h"
#include "dialects/graph/GraphSource.h"
#include "dialects/plan/Plan.h"
#include "dialects/plan/Serialization.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "passes/dist/Pipeline.h"
#include "passes/graph/Pipeline.h"
#include "passes/kernel/HostCodegen.h"
#include "passes/plan/Pipeline.h"
#include "runtime/plan/Proof.h"
#include "runtime/plan/Sha256.h"
#include "tools/dtc/CompileKernels.h"
#include "tools/dtc/Diagnostics.h"
#include "tools/dtc/Oracle.h"

using namespace mlir;

namespace dtc::tool {
namespace {

constexpr const char *names[] = {"import",  "rewrite", "place", "partition",
                                 "program", "kernel",  "plan"};
/// Of the module: the digest of the graph file that it came from.
constexpr llvm::StringLiteral sourceAttrName = "plan.source_sha256";
constexpr llvm::StringLiteral versionAttrName = "plan.compiler_version";

std::string sha256(const std::string &text) {
  Sha256 digest;
  digest.update(std::as_bytes(std::span(text)));
  return digest.hex();
}

dist::PlacementOptions placementOptions(const CompileOptions &options) {
  std::string mode = options.mode;
  if (mode.empty())
    mode = options.cluster.empty() ? "local" : "between-graph";
  return {.cluster = options.cluster,
          .mode = mode,
          .update = options.update,
          .wireType = options.wireType,
          .maxShardBytes = options.maxShardBytes,
          .replicas = options.replicas,
          .numbered = options.numbered,
          .softPlacement = options.softPlacement,
          .placement = options.placement,
          .deviceMemory = options.deviceMemory,
          .place = options.place,
          .placeName = options.placeName};
}

/// Without the same rewrites a plan's graph may round differently (verify).
void recordDisabled(ModuleOp module, const std::vector<std::string> &names) {
  SmallVector<StringRef> refs(names.begin(), names.end());
  if (!refs.empty())
    module->setAttr("plan.disabled_rewrites",
                    Builder(module.getContext()).getStrArrayAttr(refs));
}

/// The flags beyond cluster, mode, update and target that decide what a plan
/// holds, as a command line has them.
std::vector<std::string> flagsOf(const CompileOptions &options) {
  std::vector<std::string> flags; // in the order of the names
  if (options.batch)
    flags.push_back(strCat("--batch=", *options.batch));
  if (options.deviceMemory > 0)
    flags.push_back(strCat("--device-memory=", options.deviceMemory));
  if (options.maxShardBytes > 0)
    flags.push_back(strCat("--max-shard-bytes=", options.maxShardBytes));
  if (options.placement != "greedy")
    flags.push_back(strCat("--placement=", options.placement));
  if (options.replicas > 1)
    flags.push_back(strCat("--replicas=", options.replicas));
  if (options.softPlacement)
    flags.push_back("--soft-placement");
  if (options.wireType != "f32")
    flags.push_back(strCat("--wire-type=", options.wireType));
  return flags;
}

void readFlag(const std::string &flag, CompileOptions &options) {
  auto [name, value] = StringRef(flag).split('=');
  if (name == "--placement")
    options.placement = value.str();
  if (name == "--soft-placement")
    options.softPlacement = true;
  if (name == "--wire-type")
    options.wireType = value.str();
  int64_t number = 0;
  if (value.getAsInteger(10, number))
    return;
  if (name == "--batch")
    options.batch = number;
  else if (name == "--device-memory")
    options.deviceMemory = number;
  else if (name == "--max-shard-bytes")
    options.maxShardBytes = number;
  else if (name == "--replicas")
    options.replicas = number;
}

/// What the input was compiled with so far, and what is asked for now.
void recordFlags(ModuleOp module, const CompileOptions &options) {
  Builder builder(module.getContext());
  std::set<std::string> flags;
  if (auto before = module->getAttrOfType<ArrayAttr>("plan.flags"))
    for (auto flag : before.getAsRange<StringAttr>())
      flags.insert(flag.str());
  for (const std::string &flag : flagsOf(options))
    flags.insert(flag);
  SmallVector<StringRef> refs(flags.begin(), flags.end());
  if (!refs.empty())
    module->setAttr("plan.flags", builder.getStrArrayAttr(refs));
}

/// Checks of a text, perhaps edited by hand, what `phase` promises to whoever
/// goes on from there; a phase whose next one looks for itself has no door.
LogicalResult checkDoor(ModuleOp module, Phase phase) {
  PassManager door(module.getContext());
  if (phase == Phase::Place)
    dist::addPlacementDoor(door);
  else if (phase == Phase::Partition)
    dist::addPartitionDoor(door);
  else if (phase == Phase::Plan)
    plan::addPlanDoor(door);
  return door.run(module);
}

/// Calls CompileOptions::afterPass.
class PassObserver : public PassInstrumentation {
public:
  explicit PassObserver(const CompileOptions &options) : options_(options) {}
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!pass->getArgument().empty()) // one of ours, and no adaptor
      options_.afterPass(pass->getArgument(), op);
  }

private:
  const CompileOptions &options_;
};

/// Prints every function or module that a pass changed, on one thread: two
/// would write into each other's lines.
void printChanges(PassManager &pm) {
  pm.getContext()->disableMultithreading();
  auto always = [](Pass *, Operation *) { return true; };
  pm.enableIRPrinting(/*shouldPrintBeforePass=*/nullptr, always,
                      /*printModuleScope=*/false,
                      /*printAfterOnlyOnChange=*/true,
                      /*printAfterOnlyOnFailure=*/false, llvm::errs());
}

} // namespace

const char *phaseName(Phase phase) { return names[static_cast<int>(phase)]; }

std::optional<Phase> phaseNamed(const std::string &name) {
  for (int i = 0; i <= static_cast<int>(lastPhase); ++i)
    if (name == names[i])
      return static_cast<Phase>(i);
  return std::nullopt;
}

std::string phaseNames() {
  std::string all;
  for (const char *name : names)
    all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

Compiler::Compiler() {
  DialectRegistry registry;
  registry.insert<graph::GraphDialect, dist::DistDialect, plan::PlanDialect>();
  kernel::registerCodegenDialects(registry);
  context_ = std::make_unique<MLIRContext>(registry);
  context_->loadAllAvailableDialects();
  context_->printOpOnDiagnostic(false);
  diagnostics_ = std::make_unique<Diagnostics>(*context_);
}

Compiler::~Compiler() = default;

FailureOr<OwningOpRef<ModuleOp>>
Compiler::parse(const std::string &text, const std::string &name, Phase phase) {
  diagnostics_->addSource(text, name);
  diagnostics_->setIsReading(true);
  OwningOpRef<ModuleOp> module = graph::parseGraph(text, name, context_.get());
  diagnostics_->setIsReading(false);
  if (!module)
    return failure();
  if (phase == firstPhase) {
    (*module)->removeAttr(sourceAttrName); // --to=import wrote it
    if (failed(graph::checkSource(*module)))
      return failure();
  }
  return module;
}

void Compiler::setSource(ModuleOp module, const std::string &text) {
  Builder builder(context_.get());
  module->setAttr(sourceAttrName, builder.getStringAttr(sha256(text)));
}

LogicalResult Compiler::enter(ModuleOp module, Phase phase,
                              const CompileOptions &options) {
  PassManager pm(context_.get());
  // The doors check what passes promise, and lower() verifies what comes out of
  // the last. With 100,000 ops, verifying after each pass would take longer
  // than all of them.
  pm.enableVerifier(false);
  if (options.afterPass)
    pm.addInstrumentation(std::make_unique<PassObserver>(options));
  switch (phase) {
  case Phase::Import:
    return success();
  case Phase::Rewrite:
    recordFlags(module, options);
    recordDisabled(module, options.disabledRewrites);
    graph::buildGraphPipeline(pm,
                              {.batch = options.batch.value_or(0),
                               .disabledRewrites = options.disabledRewrites});
    pm.addInstrumentation(std::make_unique<graph::RewriteCounter>(rewrites_));
    if (options.printChanges)
      printChanges(pm);
    break;
  case Phase::Place:
    recordFlags(module, options);
    if (!options.place.empty()) {
      diagnostics_->addSource(options.place, options.placeName);
      module->setAttr("plan.place",
                      StringAttr::get(context_.get(), options.place));
    }
    dist::buildPlacementPipeline(pm, placementOptions(options));
    break;
  case Phase::Partition:
    dist::buildPartitionPipeline(pm, /*merges=*/!options.plainly);
    break;
  case Phase::Program:
    plan::buildProgramPipeline(pm);
    break;
  case Phase::Kernel:
    plan::buildKernelPipeline(pm, /*fuses=*/!options.plainly);
    break;
  case Phase::Plan:
    plan::buildBufferPipeline(pm, /*reuses=*/!options.plainly);
    if (failed(pm.run(module)))
      return failure();
    module->setAttr(versionAttrName,
                    StringAttr::get(context_.get(), DTC_VERSION));
    return compileKernels(module, options.targets, options.threads);
  }
  return pm.run(module);
}

LogicalResult
Compiler::lower(ModuleOp module, Phase from, Phase to,
                const CompileOptions &options,
                const std::function<LogicalResult(Phase, ModuleOp)> &visit) {
  if (failed(checkDoor(module, from)))
    return failure();
  for (int phase = static_cast<int>(from); phase <= static_cast<int>(to);
       ++phase) {
    Phase current = static_cast<Phase>(phase);
    if (current != from && failed(enter(module, current, options)))
      return failure();
    if (current == Phase::Place)
      addWatches(module, options.watch);
    if (visit && failed(visit(current, module)))
      return failure();
  }
  return mlir::verify(module);
}

FailureOr<::dtc::Plan::Ptr> Compiler::finish(ModuleOp module,
                                             const std::string &source,
                                             const std::string &name,
                                             bool wasEdited) {
  FailureOr<PlanContents> contents = plan::exportPlan(module);
  if (failed(contents))
    return failure();
  if (!source.empty()) {
    if (contents->plan.source_sha256() != sha256(source))
      return coded(module.emitError(), Code::BadPhase)
             << "stems from another graph than the one given: its digest is "
             << contents->plan.source_sha256() << ", the file's "
             << sha256(source);
    contents->members["source/graph.mlir"] = source;
  }
  // The same code that every task runs before it trusts a plan.
  Result<::dtc::Plan::Ptr> checked =
      ::dtc::Plan::create(std::move(*contents), name);
  if (!checked)
    return coded(module.emitError(), wasEdited ? Code::BadPhase : Code::Bug)
           << checked.status().message();
  if (Status proven = proveNoWaitCycle(**checked); !proven.isOk())
    return coded(module.emitError(), Code::BadPhase) << proven.message();
  return *checked;
}

FailureOr<OwningOpRef<ModuleOp>> Compiler::importPlan(const ::dtc::Plan &plan) {
  return plan::importPlan(plan.contents(), *context_);
}

FailureOr<OwningOpRef<ModuleOp>>
Compiler::recompile(const ::dtc::Plan &plan, Phase phase,
                    const CompileOptions &options) {
  const std::string *source = plan.member("source/graph.mlir");
  if (!source) {
    coded(emitError(UnknownLoc::get(context_.get())), Code::BadPlan)
        << plan.path()
        << " was compiled from edited IR and holds no graph; only --ir plan "
           "can be shown";
    return failure();
  }
  auto module = parse(*source, plan.proto().name() + ".mlir");
  if (failed(module))
    return failure();
  setSource(**module, *source);
  if (failed(lower(**module, firstPhase, phase, options)))
    return failure();
  return module;
}

std::string Compiler::print(ModuleOp module) {
  return graph::printGraph(module);
}

CompileOptions optionsOf(const ::dtc::Plan &plan) {
  CompileOptions options;
  for (const proto::Job &job : plan.proto().jobs())
    options.cluster += strCat(options.cluster.empty() ? "" : ",", job.name(),
                              "=", job.tasks());
  options.mode = plan.proto().mode() == proto::LOCAL      ? "local"
                 : plan.proto().mode() == proto::IN_GRAPH ? "in-graph"
                                                          : "between-graph";
  options.update = plan.proto().update() == proto::ASYNC ? "async" : "sync";
  for (const std::string &flag : plan.proto().flags())
    readFlag(flag, options);
  options.place = plan.proto().place();
  options.placeName = plan.proto().name() + ".place";
  options.disabledRewrites.assign(plan.proto().disabled_rewrites().begin(),
                                  plan.proto().disabled_rewrites().end());
  options.targets.clear();
  for (const proto::CodeObject &object : plan.proto().objects())
    options.targets.push_back(object.target());
  return options;
}

} // namespace dtc::tool
