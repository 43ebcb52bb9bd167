// Compiler: from the text of a graph to a plan, phase by phase.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/graph/RewriteCounts.h"
#include "runtime/plan/Plan.h"

namespace dtc::tool {

/// Where a compilation can stop, be looked at, edited and resumed.
enum class Phase { Import, Rewrite, Place, Partition, Program, Kernel, Plan };

inline constexpr Phase firstPhase = Phase::Import, lastPhase = Phase::Plan;
const char *phaseName(Phase phase);
std::optional<Phase> phaseNamed(const std::string &name);
/// "import, rewrite, …, plan".
std::string phaseNames();

struct CompileOptions {
  /// "ps=1,worker=2"; empty: one local task.
  std::string cluster;
  /// "local", "in-graph" or "between-graph"; empty: local without a cluster,
  /// else between-graph.
  std::string mode;
  std::string update = "sync";
  /// "bf16": what f32 is rounded to where it crosses between tasks; or "f32".
  std::string wireType = "f32";
  std::vector<std::string> targets = {"host"};
  std::optional<int64_t> batch;
  int64_t replicas = 1;
  /// Variables on job ps that are larger are split; 0: those that ask for it.
  int64_t maxShardBytes = 0;
  /// See dist::PlacementOptions.
  bool numbered = false;
  /// A device's type and number give way where the cluster has none such.
  bool softPlacement = false;
  /// "greedy", "round-robin", "manual" or "cost", and the bytes of each task
  /// for cost (passes/dist/Pipeline.h).
  std::string placement = "greedy";
  int64_t deviceMemory = 0;
  /// The text of a placement file, and what diagnostics call it; may be empty.
  std::string place, placeName;
  unsigned threads = 2;
  /// Rewrites of phase rewrite to leave out (passes/graph/RewriteCounts.h).
  std::vector<std::string> disabledRewrites;
  /// Whether to print, to stderr, what a pass of phase rewrite changed.
  bool printChanges = false;
  /// Leaves out what only makes a plan better: transfers are not merged, ops
  /// not fused, bytes not used again. How verify asks what a text is worth.
  bool plainly = false;
  /// Called after each pass, by the name that dtc-opt has for it, with what it
  /// ran on, which may be changed: how verify looks on, and how tests put
  /// mistakes in. Passes on parts of a module call it from several threads.
  std::function<void(llvm::StringRef pass, mlir::Operation *)> afterPass;
  /// Values that become additional outputs of every entry that has them: how
  /// verify sees what crosses edges in the unpartitioned graph.
  std::vector<std::string> watch;
};

/// One graph on its way down. Diagnostics go to stderr as file:line:col with
/// the source line. Not thread-safe.
class Compiler {
public:
  Compiler();
  ~Compiler();

  mlir::MLIRContext &context() { return *context_; }

  /// Parses `text`, the IR of `phase` ("name" is what diagnostics call it). Of
  /// the first phase it is a person's file, and more is refused.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  parse(const std::string &text, const std::string &name,
        Phase phase = firstPhase);
  /// Notes in `module` which graph file it is (its digest goes into the plan).
  void setSource(mlir::ModuleOp module, const std::string &text);
  /// Takes a module that `from` produced through the phases up to `to`. Calls
  /// `visit` after each (and for `from` itself).
  mlir::LogicalResult
  lower(mlir::ModuleOp module, Phase from, Phase to,
        const CompileOptions &options,
        const std::function<mlir::LogicalResult(Phase, mlir::ModuleOp)> &visit =
            {});
  /// Turns a module of the last phase into a plan that was checked and proven,
  /// and that messages call `name`. `source` is the text of the graph file that
  /// the module stems from (checked by its digest), kept in the plan; may be
  /// empty. A plan that its checks refuse is a bug of the compiler, or,
  /// `wasEdited`, of whoever wrote the IR.
  mlir::FailureOr<::dtc::Plan::Ptr> finish(mlir::ModuleOp module,
                                           const std::string &source,
                                           const std::string &name,
                                           bool wasEdited = false);
  /// The module of a finished plan.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  importPlan(const ::dtc::Plan &plan);
  /// The module of an earlier phase, made anew from the graph in the plan, for
  /// `options` (see optionsOf).
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  recompile(const ::dtc::Plan &plan, Phase phase,
            const CompileOptions &options);
  /// How often each rewrite was applied so far.
  const graph::RewriteCounts &rewriteCounts() const { return rewrites_; }
  /// The text of a module, with names.
  std::string print(mlir::ModuleOp module);

private:
  mlir::LogicalResult enter(mlir::ModuleOp module, Phase phase,
                            const CompileOptions &options);

  std::unique_ptr<mlir::MLIRContext> context_;
  std::unique_ptr<class Diagnostics> diagnostics_;
  graph::RewriteCounts rewrites_;
};

/// The options that `plan` was compiled with, as far as the plan says.
CompileOptions optionsOf(const ::dtc::Plan &plan);

} // namespace dtc::tool
