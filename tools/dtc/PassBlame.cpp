#include "tools/dtc/PassBlame.h"

#include <algorithm>
#include <map>
#include <set>

#include "dialects/graph/Ops.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/dist/Decisions.h"
#include "passes/dist/Passes.h"
#include "tools/dtc/EditedText.h"
#include "tools/dtc/OneDevice.h"
#include "tools/dtc/Oracle.h"
#include "tools/dtc/PlanMismatch.h"
#include "tools/dtc/PlanReport.h"

using namespace mlir;

namespace dtc::tool {
namespace {

/// What was there after a pass.
struct Text {
  Phase phase;
  std::string pass;
  OwningOpRef<ModuleOp> module; // null: all that the phase makes, the plan
};

constexpr const char *anewName = "the plan compiled anew";

bool isOneOf(const std::string &pass,
             std::initializer_list<const char *> names) {
  return std::find(names.begin(), names.end(), pass) != names.end();
}

/// A number from `begin` to `end`, exclusive, that is not in `without`, if
/// there is one; the middle if it can be.
std::optional<size_t> nearMiddle(size_t begin, size_t end,
                                 const std::set<size_t> &without) {
  std::vector<size_t> left;
  for (size_t i = begin; i < end; ++i)
    if (!without.count(i))
      left.push_back(i);
  if (left.empty())
    return std::nullopt;
  return left[(left.size() - 1) / 2];
}

class Bisection {
public:
  Bisection(const Plan &plan, const proto::Entry &entry,
            const Expectation &expected, const VerifyOptions &options,
            const CompileOptions &compile)
      : plan_(plan), entry_(entry), expected_(expected), options_(options),
        compile_(compile) {
    options_.kernels = false;
  }

  Result<PassBlame> find();

private:
  Result<Plan::Ptr> compileAnew();
  LogicalResult lowerGraph(const Text &text, ModuleOp module);
  LogicalResult lowerPartition(const Text &text, ModuleOp module);
  LogicalResult lower(const Text &text, ModuleOp module);
  std::optional<bool> isRight(const Plan::Ptr &plan, int64_t turns);
  std::optional<bool> isRight(Text &text);
  PassBlame blame();

  const Plan &plan_;
  const proto::Entry &entry_;
  const Expectation &expected_;
  VerifyOptions options_;
  const CompileOptions &compile_;
  Compiler compiler_;
  std::vector<Text> texts_; // in the order of the passes
  std::map<Phase, std::string> phases_;
};

Result<PassBlame> Bisection::find() {
  DTC_ASSIGN_OR_RETURN(Plan::Ptr anew, compileAnew());
  std::optional<bool> right = isRight(anew, /*turns=*/1);
  if (!right)
    return Status::invalidArgument("the plan compiled anew does not run");
  if (!*right)
    return blame();
  PassBlame found;
  found.place = firstMismatch(plan_, *anew, entry_.name());
  if (auto phase = phaseOfPlaces(plan_, *anew, phases_, compile_))
    found.from = phaseName(*phase);
  return found;
}

/// Compiles the plan's graph as it was compiled, and keeps the texts from the
/// end of phase `rewrite` on.
Result<Plan::Ptr> Bisection::compileAnew() {
  auto refused = Status::invalidArgument(
      "the graph in the plan does not compile with the plan's flags");
  const std::string *source = plan_.member("source/graph.mlir");
  if (!source)
    return refused;
  auto module = compiler_.parse(*source, plan_.proto().name() + ".mlir");
  if (failed(module))
    return refused;
  compiler_.setSource(**module, *source);
  CompileOptions options = compile_;
  Phase underway = firstPhase;
  options.afterPass = [&](StringRef pass, Operation *op) {
    if (compile_.afterPass)
      compile_.afterPass(pass, op);
    if (auto whole = dyn_cast<ModuleOp>(op);
        whole && underway > Phase::Rewrite && !pass.contains("verify"))
      texts_.push_back({underway, pass.str(), whole.clone()});
  };
  auto visit = [&](Phase phase, ModuleOp whole) {
    if (phase != firstPhase)
      phases_[phase] = compiler_.print(whole);
    if (phase != lastPhase)
      underway = static_cast<Phase>(static_cast<int>(phase) + 1);
    return success();
  };
  if (failed(compiler_.lower(**module, firstPhase, lastPhase, options, visit)))
    return refused;
  // Its passes work on parts of the module, one after the other. The order of
  // instructions is final, and judged, with the plain text before them.
  texts_.push_back({Phase::Plan, "plan-assign-buffers", nullptr});
  auto plan = compiler_.finish(**module, *source, anewName);
  if (failed(plan))
    return refused;
  return *plan;
}

/// A text of phase `place`, on one device.
LogicalResult Bisection::lowerGraph(const Text &text, ModuleOp module) {
  CompileOptions options = oracleOptions(plan_, entry_);
  if (isOneOf(text.pass, {"dist-split-variables", "dist-assign-jobs"})) {
    forgetJobs(module);
    return compiler_.lower(module, Phase::Rewrite, lastPhase, options);
  }
  // Workers that do not meet yet cannot be told from one that is alone.
  if (text.pass == "dist-replicate" &&
      dist::modeOf(module) == dist::Mode::BetweenGraph)
    return failure();
  if (failed(bringToOneDevice(module)))
    return failure();
  return compiler_.lower(module, Phase::Place, lastPhase, options);
}

/// A later text, finished plainly. Transfers become sends and receives first.
LogicalResult Bisection::lowerPartition(const Text &text, ModuleOp module) {
  if (isOneOf(text.pass, {"dist-form-partitions", "dist-merge-transfers"})) {
    PassManager pm(&compiler_.context());
    pm.addPass(dist::createSplitTransfersPass());
    if (failed(pm.run(module)))
      return failure();
  }
  CompileOptions options = compile_;
  options.plainly = true;
  options.afterPass = {};
  return compiler_.lower(module, text.phase, lastPhase, options);
}

LogicalResult Bisection::lower(const Text &text, ModuleOp module) {
  return text.phase == Phase::Place ? lowerGraph(text, module)
                                    : lowerPartition(text, module);
}

/// Nothing if it does not run.
std::optional<bool> Bisection::isRight(const Plan::Ptr &plan, int64_t turns) {
  Result<const proto::Entry *> entry = chooseEntry(*plan, entry_.name());
  if (!entry)
    return std::nullopt;
  Result<Verdict> verdict =
      verifyEntry(plan, **entry, expected_, options_, turns);
  if (!verdict)
    return std::nullopt;
  return verdict->difference.empty();
}

/// Nothing if it has no values: it does not compile on its own.
std::optional<bool> Bisection::isRight(Text &text) {
  ScopedDiagnosticHandler quiet(&compiler_.context(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = text.module->clone();
  if (failed(lower(text, *module)))
    return std::nullopt;
  auto plan = compiler_.finish(*module, "", anewName);
  if (failed(plan))
    return std::nullopt;
  return isRight(*plan,
                 text.phase == Phase::Place ? oracleSteps(plan_, entry_) : 1);
}

/// The text before the first one is right, the last one is wrong.
PassBlame Bisection::blame() {
  size_t right = 0; // how many texts are, from the first on
  size_t wrong = texts_.size() - 1;
  std::set<size_t> mute; // texts without values
  while (auto middle = nearMiddle(right, wrong, mute)) {
    std::optional<bool> isIt = isRight(texts_[*middle]);
    if (!isIt)
      mute.insert(*middle);
    else if (*isIt)
      right = *middle + 1;
    else
      wrong = *middle;
  }
  const Text &first = texts_[wrong];
  PassBlame found{.phase = phaseName(first.phase), .pass = first.pass};
  for (size_t i = right; i < wrong; ++i)
    found.orOneOf.push_back(texts_[i].pass);
  // Of later texts none was right yet: what brings each of them to a plan may
  // be wrong, too.
  bool hadPlans = right > 0 && texts_[right - 1].phase > Phase::Place;
  if (first.phase > Phase::Place && !hadPlans)
    for (const char *pass : {"dist-split-transfers", "convert-dist-to-plan",
                             "plan-form-kernels", "plan-schedule"})
      if (pass != first.pass)
        found.orOneOf.push_back(pass);
  return found;
}

} // namespace

std::string PassBlame::sentence() const {
  if (!pass.empty()) {
    std::string text =
        strCat("the pass ", pass, " of phase ", phase, " makes the difference");
    for (size_t i = 0; i < orOneOf.size(); ++i)
      text += strCat(i == 0 ? ", or one that cannot be told from it: " : ", ",
                     orOneOf[i]);
    return text + "; this is a mistake of dtc";
  }
  std::string text = "compiled anew, the graph and the flags in the plan give "
                     "the values of one device: this plan was edited, or made "
                     "by another version";
  if (!place.empty())
    text += "; it first differs at " + place;
  if (!from.empty())
    text += strCat("; its places are lines of a text of phase ", from);
  return text;
}

Result<PassBlame> blameFor(const Plan &plan, const proto::Entry &entry,
                           const Expectation &expected,
                           const VerifyOptions &options,
                           const CompileOptions &compile) {
  return Bisection(plan, entry, expected, options, compile).find();
}

} // namespace dtc::tool
